"""The pack `ci`: pipelines, deployments and what describes them."""

from __future__ import annotations

import re

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.harm import harms
from snaphook.providers.guard.rules.pack import asking
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Act, Call, Effect, Span
from snaphook.shell.text import plain

_RUNS = harms("""
    gh workflow run|enable|disable
    gh run rerun|cancel|delete
    gh release create|upload|edit|delete
    gh pr merge|close
    gh variable|secret|cache set|delete|remove
    gh api -X|--method|-f|-F|--field|--raw-field|--input
    glab ci run|retry|cancel|delete|trigger
    glab pipeline run|retry|cancel|delete
    glab release create|upload|delete
    glab variable set|update|delete
    glab mr merge|close
    circleci pipeline|orb|context|runner trigger|publish|create|delete|store-secret|remove-secret
    circleci run *
    jenkins-cli|jenkins build|create-job|delete-job|update-job|enable-job|disable-job|restart
    jenkins-cli|jenkins safe-restart|groovy
    buildkite-agent|bk pipeline|build|artifact upload|create|rebuild|cancel|new
    travis restart|cancel|env|encrypt|enable|disable
    drone build|secret|repo restart|stop|promote|add|update|rm|enable|disable|rollback
    tkn * start|delete|cancel|create
    argocd app sync|set|create|delete|rollback|patch|terminate-op|actions
    flux reconcile|suspend|resume|create|delete|bootstrap|uninstall|install
    vercel|now deploy|promote|rollback|redeploy|alias|remove|--prod
    vercel|now --prod
    netlify deploy|build:clear|sites:delete|env:set|env:unset|unlink
    fly|flyctl deploy|launch|scale|restart|destroy|suspend|secrets|machine|apps
    wrangler deploy|publish|delete|rollback|secret|versions
    firebase deploy|hosting:disable|functions:delete|hosting:channel:deploy
    heroku releases:rollback|releases:retry|ps:restart|ps:scale|config:set|config:unset
    heroku container:release|pipelines:promote|maintenance:on|maintenance:off
    railway up|redeploy|down|delete
    render deploys
    serverless|sls|sam|sst deploy|remove|rollback|delete|invoke
    eb deploy|create|terminate|swap|setenv|scale|restore
    cap *
    kamal deploy|redeploy|rollback|remove|setup|app|env
    fastlane *
    goreleaser release
    semantic-release|release-it|release-please|np
    act push|release
    spinnaker|spin pipeline|application execute|save|delete
    octo deploy-release|create-release|promote-release
    dagger publish
    amplify push|publish|delete
    copilot deploy
    copilot svc|job|env deploy|delete|init
""")
_PIPELINES = re.compile(
    r"/(?:\.github/(?:workflows|actions)/.+|\.gitlab-ci\.ya?ml|\.circleci/.+|Jenkinsfile[^/]*|\.travis\.yml"
    r"|azure-pipelines[^/]*\.ya?ml|\.drone\.ya?ml|bitbucket-pipelines\.yml|\.buildkite/.+|cloudbuild\.ya?ml"
    r"|appveyor\.yml|\.woodpecker(?:\.ya?ml|/.+)|\.goreleaser\.ya?ml|\.releaserc[^/]*|buildspec\.ya?ml)$"
)


def runs(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a call that starts, stops or promotes a pipeline, a deployment or a release.

    Asks: gh workflow run deploy.yml
    Asks: gh run rerun 123
    Asks: vercel --prod
    Asks: fly deploy
    Asks: argocd app sync web
    Asks: gh api -X POST repos/o/r/dispatches
    Allows: gh run list
    Allows: gh workflow view ci.yml
    Allows: gh pr checks 12
    Allows: argocd app diff web
    Allows: fly status
    """
    return _RUNS.find(call)


def rewrites(effect: Effect, _scene: RuleContext) -> Span | None:
    """Point at a file that says what a pipeline does, being changed.

    Asks: sed -i s/a/b/ .github/workflows/ci.yml
    Asks: cp ci.yml .gitlab-ci.yml
    Allows: cat .github/workflows/ci.yml
    Allows: cp a.yml docs/workflows/a.yml
    """
    return effect.span if _PIPELINES.search(plain(effect.path)) else None


RULES = (
    asking(
        "ci",
        "run",
        says="starts, stops or promotes a pipeline, a deployment or a release",
        why="it runs remotely, with more permissions",
        instead="list, view, status and logs are allowed.",
        programs=_RUNS.programs,
        objects_to=runs,
    ),
    Rule(
        id="ci.pipeline",
        answer=GuardAnswer.ASK,
        says="changes what a pipeline does",
        why="pipelines run with their own secrets and permissions",
        instead="Propose the change and let the user make it.",
        acts=(Act.WRITE, Act.OVERWRITE, Act.APPEND, Act.DELETE, Act.MOVE, Act.LINK),
        objects_to=rewrites,
        optional=True,
        pack="ci",
    ),
)
