"""Variables that make a harmless command another one.

assignments of a command  ->  Steered, for one that changes what programs run or do

`PATH=/tmp/x; ls`, `LD_PRELOAD=x ls`, `GIT_EXTERNAL_DIFF=x git diff`, `PAGER='sh -c …' git log`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from snaphook.lazy import regex
from snaphook.providers.guard.path_classes import PathClass, PathClasses
from snaphook.shell.facts import Call
from snaphook.shell.paths import resolve
from snaphook.shell.text import is_known

HARMLESS = regex(
    r"\A(?:LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLUMNS|LINES|CI|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?"
    r"|NODE_ENV|RUST_LOG|RUST_BACKTRACE|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONHASHSEED"
    r"|PYTHONIOENCODING|PYTHONUTF8|DEBIAN_FRONTEND|GIT_TERMINAL_PROMPT|DEBUG|VERBOSE|TZ|MPLBACKEND"
    r"|GIT_PAGER|PAGER|OMP_NUM_THREADS|CUDA_VISIBLE_DEVICES|TOKENIZERS_PARALLELISM|PYTHONWARNINGS)\Z"
)
"""What may be set for one command without making it another; PAGER only to `cat` or nothing."""
STEERS = regex(
    r"\A(?:PATH|HOME|IFS|ENV|BASH\w*|SHELLOPTS|PS[0-9]|PROMPT_COMMAND|CDPATH|SHELL|TMPDIR|XDG_\w+|GLOBIGNORE"
    r"|LD_\w+|DYLD_\w+|GIT_\w+|SSH_\w+|\w*PAGER|\w*EDITOR|VISUAL|BROWSER|LESS\w*|FPATH|ZDOTDIR|MAKEFLAGS|HIST\w*|SNAPHOOK\w*|CLAUDE\w*|CODEX\w*|GEMINI\w*|QWEN\w*|COPILOT\w*"
    r"|PYTHON\w*|NODE_\w+|NPM_\w+|npm_\w+|PERL\w*|RUBY\w*|JAVA\w*|_JAVA\w*|JDK_\w+|MAVEN_\w+|GRADLE_\w+"
    r"|CC|CXX|CFLAGS|LDFLAGS|GO\w+|CGO_\w+|CARGO_\w+|RUST\w*|PIP_\w+|UV_\w+|POETRY_\w+|VIRTUAL_ENV|CONDA\w*"
    r"|DOCKER_\w+|KUBE\w*|AWS_\w+|AZURE_\w+|GOOGLE_\w+|\w*PROXY|\w*_OPTS|\w*_OPTIONS|\w*_COMMAND"
    r"|DATABASE_URL|\w*_URL|\w*_HOST|\w*CONFIG\w*|RIPGREP_\w+|GREP_\w+|TAR_\w+|JQ_\w+|MANPAGER|PYTEST_\w+)\Z",
    re.IGNORECASE,
)
"""What may change the meaning of the commands after it, or of the one it is set for."""
_SECRET_VARIABLE = regex(
    r"(?i)\$\{?[!#]?(\w*(?:secret|token|passw|passphrase|api_?key|_key|credential|private|_pat|_auth)\w*)"
)
_PAGERS = frozenset({"", "cat"})
_PROJECT_PATHS = frozenset({"PYTHONPATH", "NODE_PATH"})
_INSIDE = frozenset({PathClass.PROJECT, PathClass.INSIDE, PathClass.BUILT})
_SETTERS = frozenset(
    {
        "export",
        "declare",
        "typeset",
        "local",
        "readonly",
        "read",
        "mapfile",
        "readarray",
        "unset",
        "getopts",
        "let",
    }
)
"""Builtins whose words are names of variables."""


class Steered(Exception):  # noqa: N818 - not an error: it carries the name out of the walk
    """A variable is set that may change what runs."""


def check(
    assigned: Collection[tuple[str, bool]],
    calls: Iterable[Call],
    classes: PathClasses,
    *,
    in_project: bool,
) -> None:
    """Raise for a variable that may change what the commands of a line do."""
    for name, lasting in assigned:
        if lasting and STEERS.search(name):
            raise Steered(f"sets {name}, which may change what runs")
    for call in calls:
        for name, value in call.env.items() if call.env else ():
            by_project = in_project and call.program != "git"  # HUSKY=0, SKIP=all: hooks left out
            if not _may_set(name, value, classes, call.cwd, in_project=by_project):
                raise Steered(f"sets {name}, which may change what {call.program} does")
        if call.program in _SETTERS:
            _check_setter(call)


def _may_set(name: str, value: str, classes: PathClasses, cwd: str, *, in_project: bool) -> bool:
    if name.endswith("PAGER"):
        return value in _PAGERS
    if HARMLESS.search(name):
        return True
    if not in_project:
        return False
    if name in _PROJECT_PATHS:
        parts = [one for one in value.split(":") if one]
        return is_known(value) and all(classes.of(resolve(one, cwd)) in _INSIDE for one in parts)
    return not STEERS.search(name)


def check_shown(command: str) -> None:
    """Raise for a command that takes the value of a secret variable into its words."""
    if "$" in command and (found := _SECRET_VARIABLE.search(command)):
        raise Steered(f"uses the value of {found[1]}")


def _check_setter(call: Call) -> None:
    if not call.args or any(arg.value[:1] == "-" and "p" in arg.value for arg in call.args):
        raise Steered(f"{call.program} shows variables")
    for arg in call.args:
        name = arg.value.partition("=")[0].partition("[")[0]
        if name[:1] == "-":
            if call.program in ("export", "declare", "typeset") and "f" in name:
                raise Steered(f"{call.program} {name} changes functions")
            continue
        if not name.isascii() or STEERS.search(name):
            raise Steered(f"sets {name or 'a variable'}, which may change what runs")
