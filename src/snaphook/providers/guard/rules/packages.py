"""Packages, images and releases that others install."""

from __future__ import annotations

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.harm import harms
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Call, Span

_PUBLISHES = harms(
    """
    npm|pnpm|yarn|bun|cnpm publish|unpublish|deprecate
    npm|pnpm owner|access|dist-tag|token|team|org|hook|profile add|rm|remove|revoke|create|set|grant|destroy
    yarn npm publish|tag
    lerna|changeset|nx|semantic-release|release-it|np publish|release
    semantic-release|release-it|np
    twine upload
    poetry|flit|hatch|uv|pdm|maturin|rye publish
    python|python3 setup.py upload
    cargo publish|yank
    cargo owner -a|--add|-r|--remove
    gem push|yank|owner
    bundle exec gem push
    mvn|mvnw deploy|deploy:*|release:*
    gradle|gradlew publish*|upload*
    sbt publish*
    lein deploy
    dotnet nuget push|delete
    nuget push|delete
    mix hex.publish|hex.retire
    composer publish
    pub publish
    dart|flutter pub publish
    pod trunk push|delete|deprecate
    vsce|ovsx publish|unpublish
    docker|podman|nerdctl|buildah|skopeo|crane|oras|regctl push
    docker|podman|nerdctl image|manifest|compose push
    docker|podman|nerdctl build|buildx --push
    docker-compose|podman-compose push
    skopeo copy|delete|sync
    crane|oras|regctl delete|copy
    helm push
    conda upload
    anaconda upload|remove
    snapcraft upload|push|release|close
    cabal upload
    luarocks upload
    opam publish
    goreleaser release !--snapshot
    jfrog|jf rt
    fastlane release|deliver|pilot|supply|upload_to_*
    eas submit
    """
)


def objects_to(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a call that publishes, or takes back what others depend on.

    Asks: npm publish
    Asks: npm unpublish my-lib@1.0.0
    Asks: twine upload dist/*
    Asks: cargo publish
    Asks: gem push my-lib-1.0.gem
    Asks: docker push registry.example.com/app:latest
    Asks: mvn deploy
    Asks: ./gradlew publish
    Allows: npm publish --dry-run
    Allows: npm install
    Allows: npm run build
    Allows: cargo build --release
    Allows: poetry build
    Allows: docker build -t app .
    Allows: docker pull alpine
    Allows: mvn package
    """
    return _PUBLISHES.find(call)


RULE = Rule(
    id="packages.publish",
    answer=GuardAnswer.ASK,
    says="publishes or unpublishes a package or release",
    why="published versions are copied at once and cannot be recalled",
    instead="Use --dry-run, and let the user publish.",
    programs=_PUBLISHES.programs,
    objects_to=objects_to,
)
