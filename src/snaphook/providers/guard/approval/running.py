"""Builds, tests and formatters: programs that run the code of a trusted project.

Call  ->  the reason why it is not approved, or nothing

What they run is the project's own, so only their words are checked: which task, which files, and no
option that names another program or another place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from snaphook.lazy import regex
from snaphook.providers.guard.approval.arguments import has_option


class Runner(Struct, frozen=True, kw_only=True):
    """A program that works on the project: *verbs* are its tasks, empty for one that has none."""

    verbs: frozenset[str] = frozenset()
    denied: tuple[str, ...] = ()
    every: bool = False
    """Whether every operand is a task, and so must be one of *verbs*."""


TASK = regex(
    r"(?:(?:unit|integration|e2e|smoke|ci|js|ts|py|all|run)[-:_])?"
    r"(?:tests?|check|checks|lint|linter|build|compile|format|fmt|type-?check|types|tsc|coverage|cov|unit"
    r"|verify|style|all|spec|specs|vet|docs|bundle|clippy|mypy|ruff|eslint|prettier|pytest|jest|vitest)"
    r"(?:[-:_](?:all|unit|integration|fast|quick|ci|watch|fix|check|js|ts|py|types?|coverage|cov|dev|prod"
    r"|debug|release|once|run|e2e|\w{1,20}))?"
)
"""Names of tasks that build, test or format; what deploys, cleans or resets is named otherwise."""
_NOT_TASKS = regex(
    r"deploy|publish|release-|push|clean|reset|drop|wipe|purge|delete|destroy|seed|migrate|prod$|undo|rollback"
)


def is_task(name: str) -> bool:
    """Say whether *name* is that of a task that builds, tests or formats."""
    return bool(TASK.fullmatch(name)) and not _NOT_TASKS.search(name)


def _rows(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TESTERS = """
    pytest py.test tox nox jest vitest mocha ava phpunit pest rspec ctest gotestsum behave nosetests
    nose2 unittest green trial
    """
_CHECKERS = """
    ruff black isort flake8 pylint mypy pyright basedpyright tsc eslint prettier biome stylelint
    shellcheck shfmt gofmt goimports golangci-lint staticcheck rustfmt clang-format yamllint
    markdownlint hadolint actionlint autopep8 yapf pyflakes pycodestyle pydocstyle bandit vulture
    interrogate codespell pyupgrade rubocop standard ktlint swiftformat swiftlint oxlint dprint
    py_compile compileall ty
    """
RUNNERS: Mapping[str, Runner] = {
    **{
        name: Runner(denied=("--basetemp", "--exec", "--rcfile", "--globalSetup"))
        for name in _TESTERS.split()
    },
    **{
        name: Runner(
            denied=(
                "--init-hook",
                "--load-plugins",
                "--resolve-plugins-relative-to",
                "--rulesdir",
                "--plugin",
                "--config",
                "--rcfile",
                "--output-file",
                "-o",
                "--output",
                "--cache-file",
            )
        )
        for name in _CHECKERS.split()
    },
    **{
        # -o may move the cache, which pytest empties, and -p names a module to load
        name: Runner(denied=("--basetemp", "-o", "--override-ini", "--pastebin", "-p"))
        for name in ("pytest", "py.test")
    },
    "ruff": Runner(
        verbs=_rows("check format rule version linter"),
        denied=("--output-file", "-o", "--config"),
    ),
    "black": Runner(denied=("--config",)),
    "mypy": Runner(denied=("--python-executable", "--config-file", "--install-types")),
    "prettier": Runner(denied=("--plugin", "--config", "--plugin-search-dir")),
    "tsc": Runner(denied=("--build-clean",)),
    "eslint": Runner(
        denied=(
            "--rulesdir",
            "--resolve-plugins-relative-to",
            "-o",
            "--output-file",
            "-c",
            "--config",
            "--parser",
            "--plugin",
            "-f",
            "--format",
        ),
    ),
    "cargo": Runner(
        verbs=_rows("build b test t check c clippy fmt doc bench nextest"),
        denied=("--config", "--target-dir", "-Z", "--artifact-dir", "--out-dir", "--manifest-path"),
    ),
    "go": Runner(
        verbs=_rows("build test vet fmt list"),
        denied=(
            "-exec",
            "-toolexec",
            "-vettool",
            "-modfile",
            "-overlay",
            "-ldflags",
            "-gccgoflags",
        ),
    ),
    "make": Runner(
        verbs=_rows("(task)"),
        denied=("--eval", "-E", "--include-dir", "-I"),
        every=True,
    ),
    "gmake": Runner(verbs=_rows("(task)"), denied=("--eval", "-E"), every=True),
    "just": Runner(
        verbs=_rows("(task)"), denied=("--shell", "--command", "-c", "--set"), every=True
    ),
    "task": Runner(verbs=_rows("(task)"), every=True),
    "npm": Runner(
        verbs=_rows("test t run run-script"),
        denied=("--script-shell", "--prefix", "--userconfig"),
    ),
    "pnpm": Runner(
        verbs=_rows("test t run"),
        denied=("--script-shell", "--dir", "-C"),
    ),
    "yarn": Runner(verbs=_rows("test run (task)"), denied=("--cwd", "--use-yarnrc")),
    "bun": Runner(verbs=_rows("test run"), denied=("--cwd", "--preload", "-r")),
    "mvn": Runner(
        verbs=_rows("test compile package verify test-compile"),
        every=True,
        denied=("-s", "--settings", "-gs"),
    ),
    "mvnw": Runner(
        verbs=_rows("test compile package verify test-compile"),
        every=True,
        denied=("-s", "--settings"),
    ),
    "gradle": Runner(
        verbs=_rows("test build check assemble compileJava compileKotlin"),
        every=True,
        denied=("-I", "--init-script", "--include-build"),
    ),
    "gradlew": Runner(
        verbs=_rows("test build check assemble compileJava compileKotlin"),
        every=True,
        denied=("-I", "--init-script"),
    ),
    "dotnet": Runner(verbs=_rows("build test format"), denied=("--logger",)),
    "mix": Runner(verbs=_rows("test format compile credo dialyzer"), every=False),
    "swift": Runner(verbs=_rows("build test")),
    "ninja": Runner(verbs=_rows("(task)"), every=True, denied=("-t",)),
    "cmake": Runner(denied=("-E", "-P", "--install", "--open", "-C")),
    "deno": Runner(
        verbs=_rows("test check lint fmt"),
        denied=(
            "--import-map",
            "--config",
            "-A",
            "--allow-all",
            "--allow-run",
            "--allow-net",
            "--allow-ffi",
        ),
    ),
    "manage.py": Runner(verbs=_rows("test check showmigrations"), every=False),
    "uv": Runner(
        verbs=_rows("run"),
        denied=(
            "--with",
            "--with-requirements",
            "--index-url",
            "--extra-index-url",
            "--script",
            "--env-file",
            "--directory",
            "--project",
        ),
    ),
    "poetry": Runner(
        verbs=_rows("run check show"), denied=("-C", "--directory", "-P", "--project")
    ),
    "pdm": Runner(verbs=_rows("run")),
    "pipenv": Runner(verbs=_rows("run")),
    "hatch": Runner(verbs=_rows("run fmt test")),
    "bundle": Runner(verbs=_rows("exec")),
    "sphinx-build": Runner(denied=("-D", "-C", "-c")),
    "bunx": Runner(denied=("-p", "--package")),
    "pnpx": Runner(denied=("--package",)),
    "npx": Runner(denied=("-p", "--package", "-c", "--call", "-y", "--yes")),
}
"""Programs of a project's daily work, with their tasks."""

PASSES_ON = frozenset({"uv", "poetry", "pdm", "pipenv", "bundle"})
"""Runners whose words are another command, which is looked at by itself."""
LOCAL = frozenset({"npx", "bunx", "pnpx"})
"""Runners that download a package only where the project has not installed it."""
_LETTERS = frozenset({"go", "mvn", "mvnw"})
"""Runners whose options are words behind one dash."""


def refused(program: str, values: Sequence[str], verb: str) -> str:
    """Return why this call of a runner is not approved."""
    runner = RUNNERS[program]
    values = _without_plugins_off(values)
    options = [one for one in values if one[:1] == "-"]
    if _denies(runner, program, values, options):
        return f"{program} with an option that runs or writes something else"
    names = [one for one in values if one[:1] != "-"]
    if any("=" in name for name in names) and program in ("make", "gmake", "just", "npm"):
        return f"{program} with a variable that may name another program"
    if not runner.verbs:
        return ""
    if program in ("npm", "pnpm", "yarn", "bun"):
        return _script(program, names)
    tasks = names if runner.every else [verb]
    if not tasks and runner.every and "(task)" in runner.verbs:
        return ""
    for task in tasks:
        if not _known(runner, task):
            return f"{program} {task}".strip() + " is not a build, a test or a formatter"
    return ""


def _without_plugins_off(values: Sequence[str]) -> list[str]:
    """Return the words without `-p no:NAME`, which switches a plugin of pytest off."""
    kept = list(values)
    while (
        at := next((i for i, one in enumerate(kept) if one.startswith("no:")), None)
    ) is not None:
        start = at - 1 if at and kept[at - 1] == "-p" else at
        del kept[start : at + 1]
    return kept


def _denies(runner: Runner, program: str, values: Sequence[str], options: Sequence[str]) -> bool:
    if program in _LETTERS:
        return any(one.partition("=")[0].replace("--", "-") in runner.denied for one in options)
    return has_option(values, runner.denied)


def _known(runner: Runner, task: str) -> bool:
    return task in runner.verbs or ("(task)" in runner.verbs and is_task(task))


def _script(program: str, names: Sequence[str]) -> str:
    """Return why a package manager's script is not approved: its name must be that of a task."""
    verb = names[0] if names else ""
    if verb in ("test", "t") or (program == "yarn" and is_task(verb)):
        return ""
    if verb in ("run", "run-script"):
        name = names[1] if len(names) > 1 else ""
        return (
            ""
            if not name or is_task(name)
            else f"{program} run {name} is not a build, a test or a formatter"
        )
    return f"{program} {verb} is not a build, a test or a formatter"
