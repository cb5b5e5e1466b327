"""Blocked commands.

"git -C app push -f"  against  "git push --force"  ->  blocked

Strict: an entry names a program, its subcommands and its flags. The program must be what runs, the
subcommands must follow in order, the flags may stand anywhere, in any order and cluster, short or
long. An entry that begins with no program we know may also be a part of a command: a subcommand of any
program (``publish``), flags of any program (``--privileged``), words of SQL (``DROP TABLE``). An entry
between slashes is a regular expression over the whole text.
Compatible: an entry is a piece of text, blocked wherever it occurs.
"""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from snaphook.shell.patterns import text_pattern

from .call import PreToolUseContext
from .options import is_regex
from .tools import SHELLS, command_of, either, is_one_of
from .words import Command, bare, steps

_COMPATIBLE_SHELLS = frozenset(("powershell", "bash", "shell", "exec"))

_SAME_FLAGS: Mapping[str, tuple[frozenset[str], ...]] = {
    "rm": (frozenset(("-r", "-R", "--recursive")), frozenset(("-f", "--force"))),
    "cp": (frozenset(("-r", "-R", "--recursive")), frozenset(("-f", "--force"))),
    "chmod": (frozenset(("-R", "--recursive")),),
    "chown": (frozenset(("-R", "--recursive")),),
    "git push": (frozenset(("-f", "--force")), frozenset(("-d", "--delete"))),
    "git clean": (frozenset(("-f", "--force")),),
    "git branch": (frozenset(("-d", "--delete")),),
    "git commit": (frozenset(("-n", "--no-verify")),),
    "docker run": (frozenset(("-v", "--volume")),),
    "npm install": (frozenset(("-g", "--global")),),
}
"""Flags that mean the same, by program or by program and subcommand."""

_CLUSTER = re.compile(r"-[A-Za-z]{1,4}\Z")
"""A short flag, or a few in one word; ``-Recurse`` and ``-exec`` are names."""


_PROGRAMS_TEXT = """
    apt apt-get awk aws az bash brew bun bundle cargo cat chgrp chmod chown cmake composer cp crontab
    curl dd deno df diff dig docker docker-compose dotnet du echo env eval exec fdisk find flutter
    gcloud gem gh git go gradle grep head helm history hostname htop iptables java journalctl jq kill
    killall kubectl ln ls lsof make mkdir mkfs mongo mount mv mvn mysql nano nc ncat netcat nft ng node
    nohup npm npx openssl parted passwd pg_dump php pip pip3 pipx pkill pnpm podman poetry powershell
    printenv ps psql pwsh python python3 reboot redis-cli rm rmdir rsync ruby rustup scp screen sed sh
    shred shutdown sqlite3 ssh su sudo swapoff systemctl tail tar tee telnet terraform tmux top touch
    truncate twine umount useradd userdel usermod uv vi vim wget xargs yarn yum zip zsh
"""
_PROGRAMS = frozenset(_PROGRAMS_TEXT.split())
"""Names that are programs wherever they begin an entry, so that ``rm -rf`` is not ``git rm -rf``."""
_PRINTS = frozenset("echo printf grep egrep fgrep rg ag ack man which type".split())  # noqa: SIM905
"""Programs whose words are only text."""
_TAKES_FILES_TEXT = """
    cat cd chmod chown code cp diff du file find head jq less ln ls mkdir more mv nano open rm rmdir sed sort
    source stat tail tar tee test touch vi vim wc zip [
"""
_TAKES_FILES = frozenset(_TAKES_FILES_TEXT.split())
"""Programs whose first word is a file, not a subcommand."""
_RUNS = frozenset(("run", "exec", "run-script"))
_SQL = re.compile(r"[A-Z]{3,}(?:\s+[A-Z_*]+)*")
"""Entries that are words of SQL: in capitals."""


class BlockedPattern(Struct, frozen=True):
    """One entry of the list, taken apart."""

    text: str
    names: tuple[str, ...]
    """The program and its subcommands."""
    flags: tuple[frozenset[str], ...]
    """Each must be present, in any of these spellings."""

    @property
    def is_part(self) -> bool:
        """Whether it may be a part of a command: it does not begin with a program."""
        return self.names[0] not in _PROGRAMS

    def matches(self, words: tuple[str, ...]) -> bool:
        """Say whether a command of these *words* is the one the entry means."""
        return (
            bool(words)
            and (self._runs(words) or (self.is_part and self._is_part_of(words)))
            and all(not flag.isdisjoint(_flags(words)) for flag in self.flags)
        )

    def _is_part_of(self, words: tuple[str, ...]) -> bool:
        """Say whether the names follow the program: as its subcommands, or behind ``run``."""
        program = bare(words[0]).lower()
        if program in _PRINTS or (program in _TAKES_FILES and self.names[0]):
            return False
        operands = tuple(word.lower() for word in words[1:] if not word.startswith("-"))
        wanted = tuple(name.lower() for name in self.names if name)
        if not wanted:
            return True  # flags alone
        starts = (0, 1) if operands[:1] and operands[0] in _RUNS else (0,)
        return any(operands[at : at + len(wanted)] == wanted for at in starts)

    def _runs(self, words: tuple[str, ...]) -> bool:
        """Say whether program and subcommands follow in order.

        A word right after an option may be the option's value, so it may be passed over: the
        ``app`` of ``git -C app push``.
        """
        if bare(words[0]).lower() != self.names[0]:
            return False
        wanted = list(reversed(self.names[1:]))
        after_option = False
        for word in words[1:]:
            if not wanted:
                break
            if word.startswith("-") and len(word) > 1:
                after_option = "=" not in word
            elif word == wanted[-1]:
                wanted.pop()
                after_option = False
            elif after_option:
                after_option = False
            else:
                return False
        return not wanted


class BlockedCommands:
    """Certain commands do not run; see the module for what 'certain' means."""

    def __init__(self, blocked: tuple[str, ...]) -> None:
        self._blocked = blocked
        plain = [text for text in blocked if not is_regex(text)]
        self._entries = tuple(_entry(text) for text in plain)
        self._patterns = {text: text_pattern(text[1:-1]) for text in blocked if is_regex(text)}
        self._sql = {text: _sql(text) for text in plain if _SQL.fullmatch(text.strip())}
        self._programs = tuple({entry.names[0] for entry in self._entries})

    def objects_to(self, call: PreToolUseContext) -> str | None:
        """Return why a shell command must not run, or ``None``."""
        if not is_one_of(call.tool_name, SHELLS):
            return None
        command = command_of(call.arguments)
        entry = next(self._found(command), None) if command else None
        return entry and _reason(entry, self._blocked)

    def _found(self, command: Command) -> Iterator[str]:
        text = command if isinstance(command, str) else " ".join(command)
        yield from (entry for entry, regex in self._patterns.items() if regex.search(text))
        yield from self._queries(command, text)
        if self._may_run_one(text):
            for step in steps(command):
                yield from (entry.text for entry in self._entries if entry.matches(step.words))

    def _queries(self, command: Command, text: str) -> Iterator[str]:
        """Yield the words of SQL that *text* hands to a program that may run them."""
        for entry, words in self._sql.items():
            if words.search(text) and any(
                step.words and not _only_text(step.words) for step in steps(command)
            ):
                yield entry

    def _may_run_one(self, text: str) -> bool:
        """Say whether a blocked program's name occurs at all; most commands end here."""
        if _HIDES.search(text):
            return True
        lower = text.lower()
        return any(program in lower for program in self._programs)


class CompatibleBlockedCommands:
    """Texts that occur nowhere in a command, as Squad compares them."""

    def __init__(self, blocked: tuple[str, ...]) -> None:
        self._blocked = blocked

    def objects_to(self, call: PreToolUseContext) -> str | None:
        """Return why a shell command must not run, or ``None``."""
        if call.tool_name not in _COMPATIBLE_SHELLS:
            return None
        command = either(call.arguments, "command", "cmd")
        if not isinstance(command, str) or not command:
            return None
        entry = next((text for text in self._blocked if text in command), None)
        return None if entry is None else _reason(entry, self._blocked)


def _reason(entry: str, blocked: tuple[str, ...]) -> str:
    return (
        f'Shell command blocked: Command contains prohibited pattern "{entry}". '
        f"Blocked commands: {', '.join(blocked)}"
    )


_HIDES = re.compile(r"[^\w\s./:=,@+&;>-]")
"""Characters by which a text may run a program that it does not spell out: quotes, ``$``, pipes, globs."""


def _entry(text: str) -> BlockedPattern:
    words = next((step.words for step in steps(text) if step.words), tuple(text.split()))
    names = tuple(word for word in words if not word.startswith("-"))
    given = [word for word in words if word.startswith("-")]
    flags = tuple(_spellings(flag, names) for word in given for flag in _apart(word))
    program = bare(names[0]).lower() if names else ""
    return BlockedPattern(text, (program, *names[1:]), flags)


def _sql(text: str) -> "re.Pattern[str]":
    """Return *text* as it may be spelled in a query: in any case, with any blanks and comments between."""
    between = r"(?:\s|/\*.*?\*/)+"
    return re.compile(
        rf"\b{between.join(map(re.escape, text.split()))}\b", re.IGNORECASE | re.DOTALL
    )


def _only_text(words: tuple[str, ...]) -> bool:
    """Say whether a command prints or searches its words, or commits with them as its message."""
    program = bare(words[0]).lower()
    return program in _PRINTS or (program in ("git", "gh") and "-c" not in words)


def _apart(word: str) -> tuple[str, ...]:
    """Return the flags of one word: ``-rf`` is ``-r`` and ``-f``; names are in lower case."""
    if _CLUSTER.match(word):
        return tuple(f"-{letter}" for letter in word[1:])
    return (word.partition("=")[0].lower(),)


def _spellings(flag: str, names: tuple[str, ...]) -> frozenset[str]:
    for length in (2, 1):
        for same in _SAME_FLAGS.get(" ".join(names[:length]), ()):
            if flag in same:
                return same
    return frozenset((flag,))


def _flags(words: tuple[str, ...]) -> frozenset[str]:
    """Return every flag among *words*, up to the ``--`` that ends them."""
    before = words[: words.index("--")] if "--" in words else words
    return frozenset(flag for word in before if word.startswith("-") for flag in _apart(word))
