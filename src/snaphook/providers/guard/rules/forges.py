"""Repositories, releases, secrets and reviews on a code host."""

from __future__ import annotations

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.harm import harms, only_asks
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.providers.guard.rules.verbs import VerbKind, verb
from snaphook.shell.facts import Call, Span

_HARMS = harms(
    """
    gh|glab|hub repo|project delete|archive|rename|transfer|edit
    gh|glab pr|mr merge
    gh|glab pr review --approve
    gh|glab mr approve
    gh|glab secret|variable set|delete|remove
    gh|glab ssh-key|gpg-key|deploy-key add
    gh repo deploy-key add
    gh|glab auth token|logout
    gh auth status --show-token
    gh workflow disable
    gh codespace|cs delete
    gh extension install
    gh|glab repo|project create --public|--push|--visibility=public
    gh gist create
    glab snippet create
    gh repo edit --visibility=public
    """
)


def objects_to(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a call that deletes on a code host, merges, or touches its keys and secrets.

    Asks: gh repo delete owner/repo --yes
    Asks: gh release delete v1.0
    Asks: gh -R owner/repo issue delete 1
    Asks: gh api -X DELETE repos/owner/repo
    Asks: gh api --method DELETE /repos/owner/repo/git/refs/heads/main
    Asks: glab api -X DELETE projects/1
    Asks: gh secret delete TOKEN
    Asks: gh repo create me/app --public --source . --push
    Asks: gh gist create notes.md
    Asks: gh pr merge 12 --squash
    Asks: gh auth token
    Asks: gh repo edit --visibility public
    Allows: gh pr create --title "delete old code"
    Allows: gh pr view 12
    Allows: gh issue create --title bug --body "rm -rf / deletes"
    Allows: gh issue close 42
    Allows: gh release create v1.0
    Allows: gh api repos/owner/repo/pulls
    Allows: gh run watch
    Allows: gh pr comment 12 --body "gh repo delete is dangerous"
    Allows: gh label list
    """
    if only_asks(call):
        return None
    if call.subcommand == "api":
        return _api(call)
    if found := _HARMS.find(call):
        return found
    told = verb(call)
    return told[1].span if told and told[0] is VerbKind.DESTROYS else None


def _api(call: Call) -> Span | None:
    method = call.get("-X", "--method")
    if method and method.text.upper() == "DELETE":
        return method.span
    for field in call.options.all("-f", "--raw-field", "-F", "--field"):
        if field.text.startswith("query=") and "mutation" in field.text and "delete" in field.text:
            return field.span
    return None


RULE = Rule(
    id="forge.delete",
    answer=GuardAnswer.ASK,
    says="deletes, merges or changes keys on GitHub or GitLab",
    why="it affects everyone in the repository and may be irreversible",
    instead="Let the user do it, or only list.",
    programs=("gh", "glab", "hub"),
    objects_to=objects_to,
)
