"""The pack `publishing`: an agent publishes nothing, and asks before it prepares to."""

from __future__ import annotations

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules import packages
from snaphook.providers.guard.rules.harm import harms
from snaphook.providers.guard.rules.pack import asking
from snaphook.providers.guard.rules.rule import RuleContext
from snaphook.shell.facts import Call, Span

_PREPARES = harms("""
    npm|pnpm|yarn|bun version|login|adduser|logout|whoami-token
    npm|pnpm|yarn config set
    npm|pnpm pkg set
    lerna|changeset version
    cargo login|logout|owner|release
    cargo set-version
    poetry version|config
    hatch version
    bump2version|bumpversion|bump-my-version|tbump|standard-version|release-please
    gem signin|signout|owner
    docker|podman|nerdctl login|logout|tag
    helm registry login|logout
    helm package
    twine register
    gh release create|upload|edit|delete
    glab release create|upload|delete
    git tag -a|-s|-m|-d|-f|--annotate|--sign|--delete|--force
    git push --tags|--follow-tags
    vsce|ovsx login|create-publisher
    dotnet nuget add|remove|update
    mvn versions:set|release:prepare
    sbt release
""")


def publishes(call: Call, scene: RuleContext) -> Span | None:
    """Point at a call that publishes, or takes back what others depend on.

    Blocks: npm publish
    Blocks: twine upload dist/*
    Blocks: cargo publish
    Blocks: docker push registry.example.com/app
    Allows: npm publish --dry-run
    Allows: npm pack
    Allows: cargo package
    """
    return packages.RULE.objects_to(call, scene)


def prepares(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a version, a tag, a release or a login that leads to publishing.

    Asks: npm version patch
    Asks: git tag -a v1.0 -m "release"
    Asks: git push --tags
    Asks: gh release create v1.0
    Asks: docker login registry.example.com
    Allows: npm view react version
    Allows: git tag --list
    Allows: gh release view v1.0
    """
    return _PREPARES.find(call)


RULES = (
    asking(
        "publishing",
        "publish",
        says="publishes or unpublishes a package or release",
        why="published versions are copied at once and cannot be recalled",
        instead="Use --dry-run, and let the user publish.",
        programs=packages.RULE.programs,
        objects_to=publishes,
        answer=GuardAnswer.DENY,
    ),
    asking(
        "publishing",
        "prepare",
        says="prepares a release: a version, a tag, a login",
        why="others rely on version numbers and tags",
        instead="Propose the version and let the user tag it.",
        programs=_PREPARES.programs,
        objects_to=prepares,
    ),
)
