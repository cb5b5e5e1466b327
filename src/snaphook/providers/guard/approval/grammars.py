"""Programs whose words are a language: git, sed, awk, and others with a rule of their own.

CallRules + Call  ->  the reason why it is not approved, or nothing
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from snaphook.lazy import regex
from snaphook.providers.guard.approval import git_reading, reading
from snaphook.providers.guard.approval.arguments import has_option, operands
from snaphook.providers.guard.approval.calls import CallRules, Grammar, may_be_path
from snaphook.providers.guard.approval.git_config import runs_programs
from snaphook.shell.facts import Call
from snaphook.shell.paths import resolve
from snaphook.shell.text import UNKNOWN, is_known

_AWK_ACTS = regex(
    r"\bsystem\b|\bgetline\b|ENVIRON|@\w|\bclose\s*\(|\bfflush\b|(?<!\|)\|(?!\|)|\bprintf?\b[^;}\n]*>"
)
_SECRET_WORDS = regex(
    r"(?i)pass(?:word|wd)|secret|token|api[_-]?key|private[_ -]?key|credential|BEGIN "
)
_JQ_ENVIRONMENT = regex(r"\benv\b|\$ENV|\binput_filename\b|\binclude\b|\bimport\b|\bdebug\b")
_SED_RUNS = regex(
    r"(?:^|[;{}\n\d$/,!]\s*)[eEwW](?:\s|$)|/[gpIiMm0-9]*[ewE][gpIiMm0-9]*(?:\s|;|$|})"
)
_TAR_LISTS = regex(r"-?(?=[a-zA-Z]*t)[tvzjJfa]+")
_ACTIVATE = regex(r"(?:[\w./~-]*/)?(?:\.?venv|env|\.?virtualenv)/bin/activate")
_SET_TEXT = "-e -u -x -o +e +x +u -eu -ex -eux -euo -euxo -exo -eo +o -f pipefail errexit nounset"
_SET_OPTIONS = frozenset(_SET_TEXT.split())
_AWK_DENIED = (
    "-f", "--file", "-i", "--include", "-e", "--source", "-l", "--load", "-E", "--exec", "-o", "-p", "-d",
)  # fmt: skip


def git(rules: CallRules, call: Call, values: list[str]) -> str:
    """Take what only reads, or records work of the project; no program that the repository names."""
    own, verb, rest = git_reading.split(values)
    reads = git_reading.only_reads(own, verb, rest)
    if not reads and not (rules.in_project and git_reading.stays_in_project(own, verb, rest)):
        return f"git {verb} is not known to only read".replace("  ", " ")
    for folder in git_reading.directories(own):
        if told := rules.places.unreadable(resolve(folder, call.cwd)):
            return told
    if setting := runs_programs(call.cwd):
        return f"the repository's own settings make git run a program ({setting})"
    return _shown(rules, call, rest)


def _shown(rules: CallRules, call: Call, rest: Sequence[str]) -> str:
    """Return why the files that git would show are secret: `git show HEAD:.env`."""
    for word in operands(rest):
        name = word.rpartition(":")[2]
        if (
            name
            and may_be_path(name)
            and (told := rules.places.unreadable(resolve(name, call.cwd)))
        ):
            return told
    return ""


def awk(rules: CallRules, call: Call, values: list[str]) -> str:
    """Take a program that only prints."""
    if has_option(
        values,
        (
            "-f",
            "--file",
            "-i",
            "--include",
            "-e",
            "--source",
            "-l",
            "--load",
            "-E",
            "--exec",
            "-o",
            "-p",
            "-d",
        ),
    ):
        return "awk with an option that runs or writes something"
    program = next((one for one in _after_variables(values)), "")
    if UNKNOWN in program or _AWK_ACTS.search(program):
        return "awk with a program that does more than print"
    return rules.contents(call, [one for one in values if one != program])


def sed(rules: CallRules, _call: Call, values: list[str]) -> str:
    """Take sed by the effects of its grammar; what it cannot read is unknown already."""
    if has_option(values, ("-f", "--file")):
        return "sed with a script from a file"
    in_place = has_option(values, ("-i", "--in-place"))
    if in_place and not rules.in_project:
        return "sed -i writes"
    if any(UNKNOWN in one for one in values) or any(_SED_RUNS.search(one) for one in values):
        return "sed with a script that may write or run something"
    return ""


def jq(rules: CallRules, call: Call, values: list[str]) -> str:
    """Take a program that reads neither the environment nor other code."""
    if has_option(values, ("-L", "--library-path", "--run-tests")):
        return "jq with an option that loads code"
    if any(_JQ_ENVIRONMENT.search(one) for one in values):
        return "jq with a program that reads the environment"
    return rules.contents(call, values[1:])


def grep(rules: CallRules, call: Call, values: list[str]) -> str:
    """Take a search; one for secrets through everything would print those of `.env`."""
    if any(_SECRET_WORDS.search(one) for one in values) and _searches_all(call, values):
        return f"{call.program} looks for secrets in every file"
    if call.program == "rg" and has_option(values, reading.READERS["rg"]):
        return "rg with an option that runs a program"
    return rules.contents(call, _without_pattern(values))


def set_options(_rules: CallRules, _call: Call, values: list[str]) -> str:
    """Take options of the shell; without any, it shows every variable."""
    return (
        ""
        if values and all(one in _SET_OPTIONS for one in values)
        else "set shows or changes variables"
    )


def few_operands(rules: CallRules, call: Call, values: list[str]) -> str:
    """Take readers whose next operand would be written."""
    most = reading.MOST_OPERANDS[call.program]
    if has_option(values, ("-r", "--revert")) and call.program == "xxd":
        return "xxd -r writes"
    names = [one for one in operands(values) if not one.isdigit()]
    if len(names) > most or any(not is_known(one) for one in names):
        return f"{call.program} writes its last operand"
    return rules.contents(call, values)


def tar(rules: CallRules, call: Call, values: list[str]) -> str:
    """Take a listing."""
    first = values[0] if values else ""
    if not _TAR_LISTS.fullmatch(first) or any(one[:1] == "-" for one in values[1:]):
        return "tar is not known to only list"
    return rules.contents(call, values[1:])


def unzip(rules: CallRules, call: Call, values: list[str]) -> str:
    """Take a listing."""
    if not values or values[0] not in ("-l", "-v", "-Z1", "-t"):
        return "unzip is not known to only list"
    return rules.contents(call, values[1:])


def printenv(_rules: CallRules, _call: Call, values: list[str]) -> str:
    """Take single variables that are not secret."""
    if values and all(one.isidentifier() and not _SECRET_WORDS.search(one) for one in values):
        return ""
    return "printenv shows the whole environment"


def ps(_rules: CallRules, _call: Call, values: list[str]) -> str:
    """Refuse `ps eww`: it shows the environment of other programs."""
    shows = any("e" in one for one in values if one[:1] != "-" and one.isalpha() and one != "aux")
    return "ps shows the environment of programs" if shows else ""


def source(rules: CallRules, call: Call, values: list[str]) -> str:
    """Take the activation of a virtual environment of the project."""
    name = values[0] if values else ""
    if rules.in_project and _ACTIVATE.fullmatch(name):
        return rules.places.not_inside(resolve(name, call.cwd))
    return f"{call.program} runs a file of shell commands"


def hostname(_rules: CallRules, _call: Call, values: list[str]) -> str:
    """Take the question, not the change."""
    return "hostname may change the name" if [one for one in values if one[:1] != "-"] else ""


def ip(_rules: CallRules, _call: Call, values: list[str]) -> str:
    """Take what shows."""
    words = [one for one in values if one[:1] != "-"]
    shows = len(words) == 1 or (len(words) > 1 and words[1] in ("show", "list", "ls"))
    return (
        ""
        if shows and words[0] in ("a", "addr", "address", "link", "l", "route", "r", "neigh")
        else "ip may change the network"
    )


def _searches_all(call: Call, values: Sequence[str]) -> bool:
    """Say whether a search goes through hidden files of a whole project: ripgrep leaves them out."""
    if call.program == "rg":
        return has_option(values, ("-u", "--unrestricted", "--hidden", "-.", "--no-ignore"))
    if not has_option(values, ("-r", "-R", "--recursive", "--dereference-recursive")):
        return False
    folders = list(operands(_without_pattern(values)))
    return not folders or any(one.rstrip("/.") == "" or one[:1] in "./~" for one in folders)


def _after_variables(values: Sequence[str]) -> list[str]:
    """Return the words after awk's options: the first is its program."""
    rest: list[str] = []
    skip = False
    for one in values:
        if skip:
            skip = False
        elif one in ("-F", "-v"):
            skip = True
        elif one[:1] != "-" or one == "-":
            rest.append(one)
    return rest


def _without_pattern(values: Sequence[str]) -> list[str]:
    """Return the words of a search without its pattern, which may look like a path."""
    if any(one[:2] in ("-e", "-f") or one.startswith(("--regexp", "--file")) for one in values):
        return list(values)
    at = next((at for at, one in enumerate(values) if one[:1] != "-"), len(values))
    return [*values[:at], *values[at + 1 :]]


GRAMMARS: Mapping[str, Grammar] = {
    "git": git,
    "awk": awk,
    "gawk": awk,
    "mawk": awk,
    "sed": sed,
    "gsed": sed,
    "jq": jq,
    "grep": grep,
    "egrep": grep,
    "fgrep": grep,
    "rg": grep,
    "set": set_options,
    "uniq": few_operands,
    "xxd": few_operands,
    "tar": tar,
    "unzip": unzip,
    "printenv": printenv,
    "ps": ps,
    "source": source,
    "hostname": hostname,
    "ip": ip,
    "json.tool": few_operands,
    ".": source,
}
