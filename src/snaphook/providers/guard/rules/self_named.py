"""An agent does not hand its own settings to a program that may write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.leash import is_hinted, is_protected
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Act, Arg, Call, Span
from snaphook.shell.known_programs import PROGRAMS
from snaphook.shell.paths import resolve

_LOOKS_TEXT = """
    ls ll dir tree stat du df file test [ [[ echo printf print find fd fdfind cd chdir pushd export local
    declare readonly typeset set git gh glab snaphook which type command wc cloc exa eza lsd md5sum
    sha1sum sha256sum shasum cksum code cursor open xdg-open less more bat head tail readlink realpath
    basename dirname mkdir cmp watch entr ruff mypy pytest eslint jsonlint ajv for in case select
    printenv man claude codex gemini opencode copilot qwen droid goose crush kimi kiro-cli cursor-agent
    cat diff delta colordiff grep egrep fgrep rg ag ack jq nl sleep true false : time
"""
_LOOKS = frozenset(_LOOKS_TEXT.split())
"""Programs that may name a protected path: they only look at it, or other rules judge them."""
_GIT_CHANGES = frozenset(
    {"checkout", "restore", "rm", "mv", "clean", "apply", "stash", "update-index"}
)
_WRITING = (
    Act.OVERWRITE, Act.APPEND, Act.WRITE, Act.LINK, Act.DELETE, Act.MOVE, Act.PERMIT, Act.OWN,
)  # fmt: skip
_PATH_LIKE = re.compile(r"[^\s'\"<>|;&]{2,300}")


def names_hooks(call: Call, scene: RuleContext) -> Span | None:
    """Point at a protected file that is given to a program which is not known to only read it.

    Any program that can write a file can empty one, so a word that names such a file counts,
    unless the program is known to look at it alone.

    Blocks: vim -es -c '%d' -c wq ~/.claude/settings.json
    Blocks: ex -sc '%d|x' ~/.claude/settings.json
    Blocks: sort -o ~/.claude/settings.json /dev/null
    Blocks: gzip -f ~/.claude/settings.json
    Blocks: patch ~/.claude/settings.json fix.diff
    Blocks: awk -i inplace '{}' ~/.claude/settings.json
    Blocks: yq -i 'del(.hooks)' ~/.claude/settings.json
    Blocks: xxd -r x.hex ~/.claude/settings.json
    Blocks: gpg -o ~/.claude/settings.json -d x.gpg
    Blocks: script -c true ~/.claude/settings.json
    Blocks: sudo mount --bind /tmp/empty ~/.claude
    Blocks: cd ~/.claude && frobnicate settings.json
    Blocks: git checkout HEAD~5 -- .claude/settings.json
    Allows: jq .hooks ~/.claude/settings.json
    Allows: diff .claude/settings.json other.json
    Allows: git add .claude/settings.json
    Allows: git log -- .claude/settings.json
    Allows: python3 -m json.tool .claude/settings.json
    Allows: git commit -m "Describe ~/.claude/settings.json"
    """
    if call.program in _LOOKS and not _rewrites(call):
        return None
    if _is_harmless(call):
        return None
    for arg, path in _named(call):
        if is_protected(path, scene.world, call.cwd) and not _is_told(call, path, scene):
            return arg.span
    return None


def _is_harmless(call: Call) -> bool:
    """Say whether no word of a described program can lead to a protected file by its name.

    A link can, and what such a program does through a link is an effect, which `self.settings` judges.
    """
    words = " ".join([arg.value for arg in call.args])
    if not words.isascii() or is_hinted(words) or _is_hinted(call.cwd):
        return False
    known = PROGRAMS.get(call.program)
    return known is not None and known.does is not None


_is_hinted = lru_cache(maxsize=64)(is_hinted)
"""The same, for directories: an agent stays in few."""


def _rewrites(call: Call) -> bool:
    """Say whether one of the programs that mostly look is told to write."""
    if call.program == "git":
        return call.subcommand in _GIT_CHANGES or call.get("--file") is not None
    return call.program == "find" and any(arg.text.startswith("-fp") for arg in call.args)


def _named(call: Call) -> Iterator[tuple[Arg, str]]:
    """Return the words that may name a file, and where they lead: `x`, `--out=x`, `of=x`, `-ox`."""
    for arg in call.args:
        text = arg.value
        if not _PATH_LIKE.fullmatch(text):
            continue
        if text[0] != "-":
            yield arg, resolve(text, call.cwd)
        _, attached, value = text.partition("=")
        if attached and value:
            yield arg, resolve(value, call.cwd)
        elif text[0] == "-" and len(text) > 3 and text[1] != "-" and text[2] in "/~.":
            yield arg, resolve(text[2:], call.cwd)


def _is_told(call: Call, path: str, scene: RuleContext) -> bool:
    """Say whether the program is described: it only reads the path, or `self.settings` objects."""
    acts = [
        one.act
        for one in scene.effects
        if one.call is call and (one.path == path or one.path.startswith(f"{path}/"))
    ]
    if any(act in _WRITING for act in acts):
        return True
    return Act.READ in acts and not _may_write(call)


def _may_write(call: Call) -> bool:
    """Say whether a program that mostly reads writes here: `sort -o`, `gzip`, an editor."""
    if call.program in _EDITORS:
        return not call.has("-R")
    options = _WRITES_WITH.get(call.program)
    if options is None:
        return False
    return not options or call.has(*options) or any(arg.text in options for arg in call.args)


_EDITORS = frozenset(
    {"vim", "vi", "nvim", "ex", "gvim", "nano", "pico", "emacs", "ed", "micro", "hx", "joe"}
)
_WRITES_WITH: dict[str, tuple[str, ...]] = {
    "sort": ("-o", "--output"),
    "gzip": (),
    "awk": ("inplace",),
    "gawk": ("inplace",),
    "yq": ("-i", "--inplace", "--in-place"),
    "jq": ("-i", "--in-place"),
    "xxd": ("-r", "-p", "-i"),
    "uniq": (),
    "dos2unix": (),
    "iconv": ("-o", "--output"),
    "split": (),
    "openssl": ("-out",),
    "gpg": ("-o", "--output"),
    "pr": (),
}
"""Options with which a program that mostly reads writes; none: it always may."""


RULE = Rule(
    id="self.named",
    answer=GuardAnswer.DENY,
    says="passes the agent's own settings to a program that may change them",
    why="agents must not change their own restrictions",
    instead="Read the file with cat or jq; let the user change it.",
    programs=("*",),
    objects_to=names_hooks,
)
