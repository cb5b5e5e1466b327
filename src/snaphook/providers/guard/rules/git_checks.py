"""Going round the checks that a repository's owner set up."""

from __future__ import annotations

import re

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Act, Call, Effect, Span
from snaphook.shell.programs.git import RUN_BY_ENV, runs, settings

_HOOKED = frozenset({"commit", "push", "merge", "rebase", "am", "pull", "cherry-pick"})
_REMOTE = frozenset({"fetch", "pull", "push", "clone", "ls-remote", "submodule", "remote"})
_READS = ("--get", "--get-all", "--list", "--get-regexp", "get", "list")
_BY_PATH = re.compile(r"!?\s*(?:\./|\.\./|~/|/(?!usr/|bin/|opt/))")
_FORCES = re.compile(r"(?:^|\s)(?:-f|--force|--hard|-D|clean|filter-branch)(?:\s|$)")
_FOR_REMOTES = ("GIT_SSH", "GIT_SSH_COMMAND", "GIT_PROXY_COMMAND", "GIT_ASKPASS")
_ELSEWHERE = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG", "GIT_EXEC_PATH")
_SWITCHES = {"HUSKY": ("0",), "HUSKY_SKIP_HOOKS": ("1", "true"), "LEFTHOOK": ("0", "false")}


def objects_to(call: Call, _scene: RuleContext) -> Span | None:
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
    Asks: GIT_SSH_COMMAND=./helper git fetch origin
    Asks: git --exec-path=/tmp/evil status
    Asks: GIT_CONFIG_GLOBAL=/tmp/settings git status
    Asks: git config --unset core.hooksPath
    Asks: git config alias.wipe 'reset --hard'
    Asks: git config remote.origin.push +refs/heads/main
    Asks: SKIP=lint git commit -m wip
    Asks: git config --global url.https://evil.example/.insteadOf https://github.com/
    Asks: pre-commit uninstall
    Allows: git commit -m "explain --no-verify"
    Allows: git push -n origin main
    Allows: git config core.hooksPath
    Allows: git config --get core.hooksPath
    Allows: git config user.name Ada
    Allows: git config --global core.editor "code --wait"
    Allows: git config alias.st status
    Allows: git -c color.ui=never -c alias.st=status st
    Allows: GIT_SSH_COMMAND="ssh -i deploy.pub" git fetch
    Allows: GIT_SSH_COMMAND=./helper git status
    Allows: GIT_CONFIG_GLOBAL=/dev/null git status
    Allows: git config core.pager delta
    Allows: pre-commit run --all-files
    """
    if call.has("--help"):
        return None
    if call.program == "pre-commit":
        return call.span if call.subcommand == "uninstall" else None
    if call.subcommand in _HOOKED:
        if call.has("--no-verify"):
            return call.span
        if any(call.env.get(name) in off for name, off in _SWITCHES.items()):
            return call.span
        if call.env.get("SKIP"):
            return call.span
    if _is_led_elsewhere(call):
        return call.span
    if any(_plants(key, value, call.subcommand) for key, value, _ in settings(call)):
        return call.span
    return call.span if call.subcommand == "config" and _changes(call) else None


def _is_led_elsewhere(call: Call) -> bool:
    """Say whether git is pointed at programs or settings that are not the machine's own."""
    return call.get("--exec-path") is not None or (bool(call.env) and _is_led_by_variables(call))


def _is_led_by_variables(call: Call) -> bool:
    used = [name for name in RUN_BY_ENV if name not in _FOR_REMOTES or _talks(call)]
    if any(_BY_PATH.match(call.env.get(name, "")) for name in used):
        return True
    return any(call.env.get(name, "/dev/null") not in ("", "/dev/null") for name in _ELSEWHERE)


def _talks(call: Call) -> bool:
    """Say whether git talks to another machine in this call."""
    if call.subcommand == "archive":
        return call.get("--remote") is not None
    if call.subcommand == "remote":
        return any(arg.text in ("update", "show", "prune") for arg in call.operands[1:2])
    return call.subcommand in _REMOTE


def _plants(key: str, value: str, subcommand: str) -> bool:
    """Say whether a setting for this one call makes git run something, or skip its hooks."""
    if key == "core.sshcommand":
        return subcommand in _REMOTE and not value.startswith("ssh ")
    own = key == f"alias.{subcommand}" and value[:1] in ("!", "")
    return own or key == "core.hookspath" or _is_strange(key, value)


def _is_strange(key: str, value: str) -> bool:
    """Say whether *value* is a command of unknown making that git would run for *key*."""
    return runs(key) and (not value or _BY_PATH.match(value) is not None)


def _changes(call: Call) -> bool:
    words = [arg.text for arg in call.operands[1:]]
    if call.has(*_READS) or (words and words[0] in _READS):
        return False
    if words[:1] == ["set"]:
        words = words[1:]
    if call.has("--unset", "--unset-all") or words[:1] == ["unset"]:
        return any(word.lower() == "core.hookspath" for word in words)
    if len(words) < 2:
        return False
    key, value = words[0].lower(), words[1]
    if key.startswith(("alias.", "credential.")):
        return value.startswith("!") or bool(_FORCES.search(value))
    if key.startswith("remote.") and key.endswith(".push"):
        return value.startswith("+")
    usual = value.partition(" ")[0] in _USUAL
    strange = runs(key) and " " in value.strip() and not usual
    if key.startswith("url.") and key.endswith("insteadof"):
        return True
    return key in _LEADING or _is_strange(key, value) or strange


_USUAL = frozenset(
    ("code", "vim", "nvim", "vi", "nano", "emacs", "emacsclient", "subl", "less", "delta", "bat")
)
"""Editors and pagers that people do set with options."""

_LEADING = frozenset(
    ("core.sshcommand", "core.fsmonitor", "core.hookspath", "core.gitproxy", "init.templatedir")
)
"""Settings that decide which programs git runs from now on."""


def disables_hook(effect: Effect, _scene: RuleContext) -> Span | None:
    """Point at a hook that would no longer be executable.

    Asks: chmod -x .git/hooks/pre-commit
    Asks: chmod 644 .git/hooks/pre-commit
    Allows: chmod +x .git/hooks/pre-commit
    Allows: chmod -x scripts/old.sh
    """
    if "/.git/hooks/" not in effect.path:
        return None
    mode = effect.call.args[0].text if effect.call.args else ""
    return effect.span if re.fullmatch(r"[augo]*-[rw]*x[rwx]*|0?[0246]{3}", mode) else None


RULES = (
    Rule(
        id="git.checks",
        answer=GuardAnswer.ASK,
        says="skips the repository's git hooks, or sets a command in git's configuration",
        why="the repository's owner requires these checks",
        instead="Let the hooks run, and fix what they report.",
        programs=("git", "pre-commit"),
        objects_to=objects_to,
    ),
    Rule(
        id="git.hooks",
        answer=GuardAnswer.ASK,
        says="disables a git hook of the repository",
        why="the repository's owner requires it",
        instead="Let the hook run, and fix what it reports.",
        acts=(Act.PERMIT,),
        objects_to=disables_hook,
    ),
)
