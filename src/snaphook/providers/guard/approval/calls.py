"""Which calls are known to be harmless, program by program.

Call  ->  the reason why it is not approved, or nothing
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache

from snaphook.lazy import regex
from snaphook.providers.guard.approval import reading, running
from snaphook.providers.guard.approval.arguments import has_option, operands
from snaphook.providers.guard.approval.places import Places
from snaphook.providers.guard.sandboxing.choose import OUTSIDE, PUBLISHES
from snaphook.providers.guard.sandboxing.needs import interprets
from snaphook.shell.facts import Act, Call, Effect, Span
from snaphook.shell.paths import resolve
from snaphook.shell.text import UNKNOWN, plain

_SYSTEM_PROGRAMS = (
    "/bin/",
    "/usr/bin/",
    "/usr/local/bin/",
    "/opt/homebrew/bin/",
    "/run/current-system/sw/bin/",
)
_PROJECT_PROGRAMS = regex(
    r"(?:.*/)?(?:\.?venv|env|\.tox/[\w.-]+|\.nox/[\w.-]+)/bin/[\w.-]+|(?:.*/)?node_modules/\.bin/[\w.-]+"
    r"|(?:\./)?(?:gradlew|mvnw)|(?:.*/)?vendor/bin/[\w.-]+|(?:\./)?manage\.py"
)
_QUIET_TEXT = "export local declare typeset readonly read unset let mapfile readarray"
_QUIET = frozenset(_QUIET_TEXT.split())
"""Builtins that only set variables; which ones is looked at elsewhere."""
_INTERPRETERS = regex(r"(?:python|pypy)[\d.]*")
_MODULES_TEXT = "this site sysconfig platform calendar tabnanny ast tokenize dis pyclbr"
_MODULES = frozenset(_MODULES_TEXT.split())
"""Modules of Python that only print when they are run."""


class CallRules:
    """What is approved of the calls of one command."""

    def __init__(
        self,
        calls: Sequence[Call],
        places: Places,
        *,
        in_project: bool,
        never: Collection[str] = (),
        effects: Iterable[Effect] = (),
        confined: Collection[Span] | None = None,
    ) -> None:
        self.places = places
        self.in_project = in_project
        self._never = never
        self._confined = confined
        self._wrapped = {name for call in calls for name in call.via}
        self._read_code = [effect.call for effect in effects if effect.act is Act.CODE]

    def is_confined(self, call: Call) -> bool:
        """Say whether the sandbox runs *call*: it was not read, and needs nothing from outside."""
        if self._confined is None or call.program in OUTSIDE or call.subcommand in PUBLISHES:
            return False
        return call.span in self._confined or interprets(call)

    def refuses(self, call: Call) -> str:
        """Return why *call* is not approved."""
        program = call.program
        if call.root or call.remote:
            return f"{program} runs {'as root' if call.root else f'in {call.remote}'}"
        if not call.sure or not program:
            return f"what {program or 'it'} runs is a guess"
        if program in self._never:
            return f"{program} is listed in approve.never"
        if self.is_confined(call):
            return ""
        values = [arg.value for arg in call.args]
        if program == "snaphook-sandbox":
            return self._helper(call, values)
        if told := self._by_path(call, call.name.value):
            return told
        if len(values) == 1 and values[0] in reading.VERSIONS and program in _named():
            return ""
        return self._by_name(program, call, values)

    def _helper(self, call: Call, values: list[str]) -> str:
        """Take our own sandbox around a command: what it runs is looked at by itself."""
        from snaphook.sandbox.helper import helper_path

        if call.name.value == str(helper_path()) and call.program in self._wrapped:
            return ""
        return "snaphook-sandbox is not the one of this installation"

    def _by_path(self, call: Call, name: str) -> str:
        """Return why a program named by its path is not the one known under its name."""
        if "/" not in name or (name.startswith(_SYSTEM_PROGRAMS) and ".." not in name):
            return ""
        if (
            self.in_project
            and _PROJECT_PROGRAMS.fullmatch(name)
            and not self.places.not_inside(resolve(name, call.cwd))
        ):
            return ""
        return f"{plain(name)} is a program of its own"

    def _by_name(self, program: str, call: Call, values: list[str]) -> str:
        special = grammars().get(program)
        if special is not None:
            return special(self, call, values)
        if program in reading.READERS:
            return self._reader(program, call, values)
        if program in reading.WRAPPERS:
            return self._wrapper(program, values)
        if _INTERPRETERS.fullmatch(program):
            return self._python(program, call, values)
        if program in reading.SUBCOMMANDS and call.subcommand in reading.SUBCOMMANDS[program]:
            return ""
        if program in _QUIET or program in _MODULES:
            return ""
        if self.in_project:
            return self._worker(program, call, values)
        return f"{program} is not known to only read"

    def _reader(self, program: str, call: Call, values: list[str]) -> str:
        denied = reading.READERS[program]
        if denied and program in reading.WHOLE_WORD_OPTIONS:
            if any(one in denied or one[:1] == UNKNOWN for one in values):
                return f"{program} with an option that does more than read"
        elif denied and has_option(values, denied):
            return f"{program} with an option that does more than read"
        if program in reading.NAMES_ONLY:
            return ""
        return self.contents(call, values)

    def contents(self, call: Call, values: Sequence[str]) -> str:
        """Return why the files that the words may name are not read unasked."""
        for value in operands(values):
            if value == "-" or not may_be_path(value):
                continue
            if value.startswith("~/"):
                value = self.places.home + value[1:]
            if told := self.places.unreadable(resolve(value, call.cwd)):
                return told
        return ""

    def _wrapper(self, program: str, values: Sequence[str]) -> str:
        if program in self._wrapped:
            return ""
        if program == "xargs" and all(one[:1] == "-" for one in values):
            return ""  # prints what it reads
        return f"what {program} runs is not known"

    def _python(self, program: str, call: Call, values: Sequence[str]) -> str:
        """Take Python whose code was read: the effect holds the text, and is looked at there."""
        options = [one for one in values if one[:1] == "-"]
        if any(one[:2] == "-i" or one == "--check-hash-based-pycs" for one in options[:3]):
            return f"{program} with an option that changes what runs"
        if program in self._wrapped or any(
            one is call or one.span == call.span for one in self._read_code
        ):
            return ""
        return f"what {program} runs was not read"

    # The project

    def _worker(self, program: str, call: Call, values: list[str]) -> str:
        """Return why a program is not part of daily work inside a project."""
        if program in running.LOCAL:
            return self._installed(program, call, values)
        if program in running.RUNNERS:
            told = running.refused(program, values, call.subcommand)
            return told or self._stays_inside(program, call, values)
        if program in _WRITERS:
            return self._writer(program, call, values)
        return f"{program} is not known to stay inside the project"

    def _installed(self, program: str, call: Call, values: list[str]) -> str:
        """Take a tool that the project has installed; npx would download any other."""
        words = [one for one in values if one[:1] != "-"]
        tool = words[0] if words else ""
        told = running.refused(program, values[: values.index(tool)] if tool else values, "")
        if told or tool not in running.RUNNERS or not self.places.has_tool(tool, call.cwd):
            return told or f"{program} {tool} may download a package"
        rest = values[values.index(tool) + 1 :]
        verb = next((one for one in rest if one[:1] != "-"), "")
        return running.refused(tool, rest, verb) or self._stays_inside(tool, call, rest)

    def _stays_inside(self, program: str, call: Call, values: Sequence[str]) -> str:
        for value in operands(values):
            if UNKNOWN in value:
                return f"{program} works on a file whose name is known only at run time"
            if not _leaves(value):
                continue
            path = self.places.home + value[1:] if value.startswith("~/") else value
            if told := self.places.not_inside(resolve(path, call.cwd)):
                return f"{program} works on files elsewhere: {told}"
        if program in running.PASSES_ON and call.subcommand not in ("check", "show"):
            return self._wrapper(program, ["-"]) if program not in self._wrapped else ""
        return ""

    def _writer(self, program: str, call: Call, values: Sequence[str]) -> str:
        """Return why the files that the words name are not written."""
        if has_option(values, _WRITERS[program]):
            return f"{program} with an option that does more than write"
        names = list(operands(values))
        if program == "chmod" and not (names and _is_mode(program, names.pop(0))):
            return "chmod with a mode that gives more than access"
        if program == "cp" and any(one.rstrip("/") in (".", "..", "") for one in names[:-1]):
            return "cp copies everything, secrets included"
        for value in names[-1:] if program == "cp" else names:
            path = self.places.home + value[1:] if value.startswith("~/") else value
            if told := self.places.unwritable(resolve(path, call.cwd)):
                return told
        return ""


@cache
def _named() -> frozenset[str]:
    """Return every program the guard knows by name; made when a version is first asked for."""
    from snaphook.providers.guard.unknown import described
    from snaphook.shell.known_programs import PROGRAMS

    return frozenset((*described(), *PROGRAMS))


_MODE = regex(r"[ugoa]*[+=-][rwxX]+|0?[0-7]{3}")
_WRITERS: Mapping[str, tuple[str, ...]] = {
    "mkdir": ("-m", "--mode"),
    "touch": ("-r", "--reference"),
    "cp": ("-t", "--target-directory", "-l", "-s", "--link", "--symbolic-link"),
    "tee": (),
    "chmod": ("-R", "--recursive", "--reference"),
}
"""Programs that write the files they name; deleting and moving is not among them."""


def _is_mode(program: str, value: str) -> bool:
    """Say whether a word of chmod is a mode, and an ordinary one: set-user-ID is not."""
    return program == "chmod" and _MODE.fullmatch(value) is not None


def may_be_path(value: str) -> bool:
    """Say whether a word may be the name of a file that is not simply one beside the command."""
    return (
        "/" in value
        or value[:1] in ("~", ".")
        or "." in value
        or UNKNOWN in value
        or "env" in value.lower()
    )


def _leaves(value: str) -> bool:
    """Say whether a word may name a place outside the current directory."""
    return value[:1] in ("/", "~") or ".." in value.split("/")


Grammar = Callable[[CallRules, Call, list[str]], str]


@cache
def grammars() -> Mapping[str, Grammar]:
    """Return who reads the words of programs that have a language of their own."""
    from snaphook.providers.guard.approval.grammars import GRAMMARS  # it knows this module

    return GRAMMARS
