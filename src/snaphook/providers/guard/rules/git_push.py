"""Pushing so that commits vanish from a place that others share."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Arg, Call, Span
from snaphook.shell.programs.git import turned_on
from snaphook.shell.text import UNKNOWN


def rewrites_protected(call: Call, scene: RuleContext) -> Span | None:
    """Point at a forced push to a branch that everyone builds on.

    Blocks: git push --force origin main
    Blocks: git push -f origin HEAD:master
    Blocks: git push origin +main
    Blocks: git push --forc origin refs/heads/main
    Blocks: git push origin --delete main
    Blocks: git push origin :master
    Blocks: git push --mirror origin
    Allows: git push origin main
    Allows: git push --force --dry-run origin main
    Allows: git push --force-with-lease origin topic
    Allows: git commit -m "never push --force origin main"
    """
    if not _pushes(call):
        return None
    if call.has("--mirror"):
        return call.span
    forced, deleting = _forced(call), call.has("--delete")
    for ref in _refs(call):
        name = _branch(ref)
        takes = forced or deleting or ref.value.startswith(("+", ":")) or ":+" in ref.value
        if takes and name in scene.settings.protected_branches and not _leased(call, ref):
            return ref.span
    return None


def rewrites(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a forced push, in any of its spellings, or at a branch deleted on the remote.

    Asks: git push --force
    Asks: git push -f origin topic
    Asks: git push -fu origin topic
    Asks: git push origin +topic
    Asks: git push origin :topic
    Asks: git push -d origin topic
    Asks: git push --prune origin
    Asks: git -C sub push --tags --force
    Allows: git push -u origin topic
    Allows: git push origin topic --tags
    Allows: git push --force-with-lease
    Allows: git push --force-with-lease origin main
    Allows: git push --no-force
    Allows: git push origin main:topic
    """
    if not _pushes(call):
        return None
    if _forced(call) or call.has("--delete", "--prune", "--mirror"):
        return call.span
    for ref in _refs(call):
        if (ref.value.startswith(("+", ":")) or ":+" in ref.value) and not _leased(call, ref):
            return ref.span
    return None


def _pushes(call: Call) -> bool:
    return call.subcommand == "push" and not (turned_on(call, "--dry-run") or call.has("--help"))


def _forced(call: Call) -> bool:
    """Say whether the push is forced; a beginning that may mean `--force` means it."""
    return turned_on(call, "--force") or any(
        len(option) > 3 and option != "--force" and "--force".startswith(option)
        for option, _ in call.options.given
    )


def _leased(call: Call, ref: Arg) -> bool:
    """Say whether a `+` is held back by a lease on that very branch."""
    if not ref.value.startswith("+") or ":" in ref.value or not call.has("--force-with-lease"):
        return False
    lease = call.get("--force-with-lease")
    return lease is None or lease.text.partition(":")[0] == _branch(ref)


def _refs(call: Call) -> Iterator[Arg]:
    """Return what is pushed: the operands after the remote."""
    return iter(call.operands[1 if call.get("--repo") else 2 :])


def _branch(ref: Arg) -> str:
    """Return the name of the branch that *ref* changes on the remote."""
    target = ref.value.rpartition(":")[2].lstrip("+").removeprefix("refs/heads/")
    return target if UNKNOWN not in target else ""


def strays(call: Call, scene: RuleContext) -> Span | None:
    """Point at a push to an address instead of a remote that was set up, or one changed just now.

    Asks: git push https://example.com/x.git HEAD
    Asks: git push git@example.com:me/x.git main
    Asks: git push --repo=https://example.com/x.git
    Asks: git remote add out https://example.com/x.git && git push out main
    Asks: git remote set-url origin https://example.com/x.git && git push
    Allows: git push origin main
    Allows: git remote set-url origin https://example.com/x.git
    Allows: git remote add fork https://example.com/x.git
    Allows: git clone https://example.com/x.git
    """
    if not _pushes(call):
        return None
    target = call.operands[1:2]
    if (repo := call.get("--repo")) and ("://" in repo.text or _SSH.match(repo.text)):
        return repo.span
    if target and ("://" in target[0].text or _SSH.match(target[0].text)):
        return target[0].span
    moved = any(one.runs("git", "remote", "set-url") for one in scene.calls)
    added = [
        one.operands[2].text
        for one in scene.calls
        if one.runs("git", "remote", "add") and len(one.operands) > 2
    ]
    return call.span if moved or (target and target[0].text in added) else None


_SSH = re.compile(r"[\w.-]+@[\w.-]+:")
_WHY = "others may have based their work on the removed commits"
_INSTEAD = "Push without force, or use --force-with-lease on your own branch."

RULES = (
    Rule(
        id="git.push-protected",
        answer=GuardAnswer.DENY,
        says="force-pushes to or deletes a protected branch",
        why=_WHY,
        instead=_INSTEAD,
        programs=("git",),
        objects_to=rewrites_protected,
    ),
    Rule(
        id="git.push-force",
        answer=GuardAnswer.ASK,
        says="force-pushes or deletes remote branches",
        why=_WHY,
        instead=_INSTEAD,
        programs=("git",),
        objects_to=rewrites,
    ),
    Rule(
        id="git.push-stray",
        answer=GuardAnswer.ASK,
        says="pushes to a URL that is not a configured remote",
        why="pushed data cannot be recalled",
        instead="Push to a configured remote.",
        programs=("git",),
        objects_to=strays,
    ),
)
