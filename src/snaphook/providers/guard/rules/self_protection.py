"""An agent does not loosen its own leash."""

from __future__ import annotations

import re

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.leash import is_protected, may_find
from snaphook.providers.guard.rules.harm import only_asks
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Act, Arg, Call, Effect, Span

_VERBS_TEXT = """
    off disable stop uninstall trust allow remove pause reset nap unwire restart kill
"""
_VERBS = frozenset(_VERBS_TEXT.split())
_OTHER_GUARDS = ("nah", "rampart", "tirith", "dcg", "cc-safety-net", "cupcake")
_CHANGING = frozenset({"set", "add", "remove", "uninstall", "disable", "install", "rm", "delete"})
_INSTALLERS = (
    "cargo", "npm", "pnpm", "yarn", "bun", "pip", "pip3", "uv", "pipx", "brew", "conda", "mamba",
    "poetry", "apt", "apt-get", "dnf",
)  # fmt: skip
_REPLACING = frozenset(
    {
        "uninstall",
        "remove",
        "install",
        "i",
        "add",
        "upgrade",
        "update",
        "reinstall",
        "purge",
        "rm",
        "un",
    }
)
_KILLERS = ("pkill", "killall", "skill", "killall5", "systemctl", "launchctl", "service")
_WRITING = (
    Act.OVERWRITE, Act.APPEND, Act.WRITE, Act.LINK, Act.DELETE, Act.MOVE, Act.PERMIT, Act.OWN,
)  # fmt: skip


def changes_hooks(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at a settings file, a hook or a trust record of the agent or the guard.

    Blocks: rm -rf ~/.claude/hooks
    Blocks: echo '{}' > .claude/settings.json
    Blocks: sed -i 's/deny/allow/' snaphook.toml
    Blocks: mv ~/.codex/config.toml /tmp
    Blocks: echo '{}' > ~/.claude/settin*
    Blocks: echo 'exit 0' > ~/.local/bin/snaphook-hook
    Allows: cat .claude/settings.json
    Allows: echo x > settings.json
    """
    if is_protected(effect.path, scene.world, effect.call.cwd):
        return effect.span
    if effect.act in (Act.PERMIT, Act.OWN):  # `chmod +x` of every script found takes no hook away
        return None
    found = {"find", "fd", "fdfind"} & {effect.call.program, *effect.call.via}
    return effect.span if found and may_find(effect.path, scene.world) else None


def loosens(call: Call, scene: RuleContext) -> Span | None:
    """Point at a word that switches the guard off, ends it, or puts another in its place.

    Blocks: snaphook trust
    Blocks: snaphook memory confirm 1a2b3c4d
    Blocks: snaphook memory retain --own DECISIONS.md
    Blocks: snaphook daemon stop
    Blocks: snaphook daemon restart
    Blocks: snaphook init --remove
    Blocks: pkill -f snaphook
    Blocks: kill $(pgrep snaphook)
    Blocks: pip uninstall -y snaphook
    Blocks: pip install --force-reinstall snaphook
    Blocks: uv tool install snaphook==0.1
    Blocks: systemctl --user stop snaphook
    Blocks: alias snaphook-hook=true
    Blocks: export SNAPHOOK_OFF=1
    Allows: snaphook explain "rm -rf /"
    Allows: snaphook guard rules
    Allows: snaphook memory retain DECISIONS.md
    Allows: pip show snaphook
    Allows: pip install -e .
    """
    if call.program == "snaphook":
        return _own_command(call)
    if call.program in _OTHER_GUARDS:
        loosening = [
            arg for arg in call.operands[:4] if arg.text in _VERBS or arg.text in _CHANGING
        ]
        return loosening[0].span if loosening and not only_asks(call) else None
    if call.program in ("pgrep", "pidof"):
        ends = any(one.program in ("kill", "xargs") for one in scene.calls)
        return call.span if ends and any(_names_guard(arg) for arg in call.args) else None
    if call.program in ("export", "declare", "alias", "hash"):
        named = [arg for arg in call.args if arg.text.startswith(("SNAPHOOK_", "snaphook"))]
        return named[0].span if named else None
    named = [arg for arg in call.args if _names_guard(arg)]
    if call.program in _INSTALLERS and not any(arg.text in _REPLACING for arg in call.operands):
        return None
    if call.program in ("systemctl", "launchctl", "service") and not _stops(call):
        return None
    return named[0].span if named else None


def _own_command(call: Call) -> Span | None:
    if only_asks(call) or call.subcommand in ("explain", "hook", "events", "check", "doctor"):
        return None
    words = (*call.operands[:3], *call.args)
    if call.subcommand == "memory":  # only a person makes an instruction of what an agent noted
        vouching = [arg for arg in words if arg.text in ("confirm", "--own")]
        return vouching[0].span if vouching else None
    loosening = [arg for arg in words if arg.text.lstrip("-") in _VERBS]
    return loosening[0].span if loosening else None


def _stops(call: Call) -> bool:
    looks = ("status", "show", "cat", "list", "is-active", "print", "list-units", "start")
    return not any(arg.text in looks for arg in call.operands)


def _names_guard(arg: Arg) -> bool:
    """Say whether a word names this guard or another."""
    words = re.split(r"[^\w]+", arg.text)
    return any(word in ("snaphook", *_OTHER_GUARDS) for word in words)


RULES = (
    Rule(
        id="self.settings",
        answer=GuardAnswer.DENY,
        says="changes the agent's own hooks, settings or approvals",
        why="agents must not change their own restrictions",
        instead="Describe the change; let the user edit the file.",
        acts=_WRITING,
        objects_to=changes_hooks,
    ),
    Rule(
        id="self.off",
        answer=GuardAnswer.DENY,
        says="disables or replaces the guard",
        why="agents must not disable their own guard",
        instead="The user can do this in their own terminal.",
        programs=(
            "snaphook",
            *_KILLERS,
            "pgrep",
            "pidof",
            "export",
            "declare",
            "alias",
            "hash",
            *_INSTALLERS,
            *_OTHER_GUARDS,
        ),
        objects_to=loosens,
    ),
)
