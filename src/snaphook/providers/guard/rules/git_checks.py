"""Going round the checks that a repository's owner set up."""

from __future__ import annotations

from snaphook.providers.guard.facts import Call, Span
from snaphook.providers.guard.judgement import Answer
from snaphook.providers.guard.programs.git import settings
from snaphook.providers.guard.rules.rule import Rule, Scene

_HOOKED = frozenset({"commit", "push", "merge", "rebase", "am", "pull", "cherry-pick"})
_REMOTE = frozenset({"fetch", "pull", "push", "clone", "ls-remote", "submodule", "remote"})
_READS = ("--get", "--get-all", "--list", "--get-regexp", "--unset", "--unset-all", "get", "list")
_SWITCHES = {"HUSKY": ("0",), "HUSKY_SKIP_HOOKS": ("1", "true"), "LEFTHOOK": ("0", "false")}


def objects_to(call: Call, _scene: Scene) -> Span | None:
    """Point at what keeps hooks and checks from running, or lets other programs run in git.

    Asks: git commit --no-verify -m wip
    Asks: git commit -nm wip
    Asks: git push --no-verify
    Asks: git -c core.hooksPath=/dev/null commit -m wip
    Asks: git config core.hooksPath .githooks
    Asks: git config --global alias.st '!rm -rf build'
    Asks: HUSKY=0 git commit -m wip
    Asks: git -c alias.deploy='!./deploy' deploy
    Asks: git -c core.sshCommand=./ssh fetch origin
    Allows: git commit -m "explain --no-verify"
    Allows: git push -n origin main
    Allows: git config core.hooksPath
    Allows: git config --get core.hooksPath
    Allows: git config user.name Ada
    Allows: git config alias.st status
    Allows: git -c color.ui=never -c alias.st=status st
    Allows: GIT_SSH_COMMAND="ssh -i deploy.pub" git fetch
    """
    if call.has("--help"):
        return None
    if call.subcommand in _HOOKED:
        if call.has("--no-verify"):
            return call.span
        if any(call.env.get(name) in off for name, off in _SWITCHES.items()):
            return call.span
    if any(_plants(key, value, call.subcommand) for key, value, _ in settings(call)):
        return call.span
    return call.span if call.subcommand == "config" and _changes(call) else None


def _plants(key: str, value: str, subcommand: str) -> bool:
    """Say whether a setting for this one call makes git run something, or skip its hooks."""
    if key == "core.sshcommand":
        return subcommand in _REMOTE and not value.startswith("ssh ")
    own = key == f"alias.{subcommand}" and value[:1] in ("!", "")
    return own or key == "core.hookspath"


def _changes(call: Call) -> bool:
    words = [arg.text for arg in call.operands[1:]]
    if call.has(*_READS) or (words and words[0] in _READS):
        return False
    if words[:1] == ["set"]:
        words = words[1:]
    if len(words) < 2:
        return False
    key, value = words[0].lower(), words[1]
    runs = key in ("core.sshcommand", "core.fsmonitor", "core.hookspath", "core.gitproxy")
    return runs or (value.startswith("!") and key.startswith(("alias.", "credential.")))


RULE = Rule(
    id="git.checks",
    answer=Answer.ASK,
    says="skips the repository's checks, or plants a command in git's settings",
    why="the owner of the repository put those checks there",
    instead="Let the hooks run, and mend what they find.",
    programs=("git",),
    objects_to=objects_to,
)
