"""Removing the names and records through which lost commits could still be found."""

from __future__ import annotations

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Call, Span
from snaphook.shell.programs.git import settings, turned_on

_AT_ONCE = ("now", "all", "0", "never")


def objects_to(call: Call, scene: RuleContext) -> Span | None:
    """Point at a call after which commits can no longer be reached, or are other commits.

    Asks: git branch -D topic
    Asks: git branch --delete --force topic
    Asks: git branch -d main
    Asks: git branch -f topic HEAD~3
    Asks: git tag -d v1.0
    Asks: git tag -f v1.0 HEAD
    Asks: git reflog expire --expire=now --all
    Asks: git reflog delete HEAD@{0}
    Asks: git gc --prune=now
    Asks: git prune
    Asks: git update-ref -d refs/heads/topic
    Asks: git update-ref refs/heads/main HEAD~3
    Asks: bfg --delete-files id_rsa
    Asks: git filter-branch -f --tree-filter 'ls' HEAD
    Asks: git filter-repo --force --path src
    Asks: git rebase origin/topic main
    Asks: git remote remove origin
    Allows: git branch -d merged-topic
    Allows: git branch --list -v
    Allows: git tag v1.0
    Allows: git tag -l 'v1.*'
    Allows: git reflog
    Allows: git gc
    Allows: git gc --prune=2.weeks.ago
    Allows: git prune --dry-run
    Allows: git rebase main
    Allows: git rebase --abort
    Allows: git remote -v
    Allows: git remote prune origin
    """
    if call.program == "bfg":
        return call.span if call.args else None
    found = _ENDS.get(call.subcommand)
    if found is None or call.has("--help") or not found(call, scene):
        return None
    return call.span


def _branch(call: Call, scene: RuleContext) -> bool:
    if call.has("-D") or (turned_on(call, "--force") and len(call.operands) > 1):
        return True
    protected = scene.settings.protected_branches
    return call.has("--delete") and any(arg.text in protected for arg in call.operands[1:])


def _tag(call: Call, _scene: RuleContext) -> bool:
    return call.has("--delete", "--force")


def _reflog(call: Call, _scene: RuleContext) -> bool:
    if call.has("--dry-run"):
        return False
    if call.options.starts(("reflog", "delete")):
        return True
    expiries = call.options.all("--expire", "--expire-unreachable", "--expire-")
    return call.options.starts(("reflog", "expire")) and any(
        arg.text in _AT_ONCE for arg in expiries
    )


def _gc(call: Call, _scene: RuleContext) -> bool:
    if call.has("--no-prune"):
        return False
    value = call.get("--prune")
    if value is None and call.has("--prune") and len(call.operands) > 1:
        value = call.operands[1]
    configured = any(
        key == "gc.pruneexpire" and value in _AT_ONCE for key, value, _ in settings(call)
    )
    return configured or (value is not None and value.text in _AT_ONCE)


def _prune(call: Call, _scene: RuleContext) -> bool:
    return not turned_on(call, "--dry-run")


def _update_ref(call: Call, _scene: RuleContext) -> bool:
    return call.has("-d", "--stdin") or any(
        arg.text.startswith("refs/heads/") for arg in call.operands[1:2]
    )


def _symbolic_ref(call: Call, _scene: RuleContext) -> bool:
    return call.has("--delete")


def _always(call: Call, _scene: RuleContext) -> bool:
    return not call.has("--dry-run", "--analyze")


def _rebase(call: Call, scene: RuleContext) -> bool:
    branch = call.operands[2:3]
    return bool(branch) and branch[0].text in scene.settings.protected_branches


def _remote(call: Call, _scene: RuleContext) -> bool:
    return len(call.operands) > 1 and call.operands[1].text in ("remove", "rm")


_ENDS = {
    "branch": _branch,
    "tag": _tag,
    "reflog": _reflog,
    "gc": _gc,
    "prune": _prune,
    "update-ref": _update_ref,
    "symbolic-ref": _symbolic_ref,
    "filter-branch": _always,
    "filter-repo": _always,
    "rebase": _rebase,
    "remote": _remote,
}

RULE = Rule(
    id="git.history",
    answer=GuardAnswer.ASK,
    says="deletes or rewrites commits, or the refs that reach them",
    why="git deletes commits that no branch or tag reaches",
    instead="Create a branch or tag first: git branch backup.",
    programs=("git", "bfg"),
    objects_to=objects_to,
)
