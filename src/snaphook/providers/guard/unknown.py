"""What nobody can know about a command before it runs, and why.

Judgement  ->  Unknowns

A command without any is *understood*: every effect of it is among the judgement's effects. For one
with some, the effects listed are a lower bound: the rest is code that nobody has read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from snaphook.shell.facts import Act, Call, Effect
from snaphook.shell.gaps import Gap, Unknown
from snaphook.shell.known_programs import PROGRAMS

if TYPE_CHECKING:
    from snaphook.providers.guard.judgement import Judgement


def unknown_parts(judgement: Judgement) -> Iterator[Unknown]:
    """Return every part of the judged command that is not understood, in the order it runs."""
    for objection in judgement.objections:
        if objection.rule in ("limit", "failure"):
            yield Unknown(gap=Gap.LIMIT, what=objection.what, span=objection.span)
    yield from judgement.unread
    for effect in judgement.effects:
        if effect.act is Act.OPAQUE:
            yield _opaque(effect)
    for call in judgement.calls:
        yield from _of_call(call)


def _opaque(effect: Effect) -> Unknown:
    what = effect.detail or "what it does"
    return Unknown(gap=Gap.OPAQUE, what=what, span=effect.span, program=effect.call.program)


def _of_call(call: Call) -> Iterator[Unknown]:
    """Return that *call* runs code of a project or a package, or is a program nobody described.

    What is run by its path was read as a file, or is noted as unread already.
    """
    gap = _runs(call)
    if gap is not None:
        words = " ".join([call.program, *(arg.text for arg in call.operands[:1])])
        yield Unknown(
            gap=gap, what=f"{words} runs {gap.value}", span=call.span, program=call.program
        )
    elif call.program and "/" not in call.name.value and not _is_familiar(call):
        what = f"what {call.program} does"
        yield Unknown(gap=Gap.PROGRAM, what=what, span=call.span, program=call.program)


def _runs(call: Call) -> Gap | None:
    if call.program in _PROJECT_CODE:
        return Gap.PROJECT
    if call.program not in _VERBS:
        return None
    project, package = _VERBS[call.program]
    for verbs, gap in ((package, Gap.PACKAGE), (project, Gap.PROJECT)):
        if call.subcommand in verbs or (verbs == ANY_VERB and call.subcommand not in _LOOKS):
            return gap
    return None


def _is_familiar(call: Call) -> bool:
    """Say whether the guard knows what the program does: it is described, built in, or harmless."""
    from snaphook.shell.evaluation.builtins import BUILTINS  # it knows the evaluator

    program = call.program
    if program in BUILTINS or program in _HARMLESS or program in _VERBS:
        return True
    return program in PROGRAMS and PROGRAMS[program].does is not None


def described() -> Iterable[str]:
    """Return the programs of the tables below, for those who check them."""
    return sorted({*_HARMLESS, *_PROJECT_CODE, *_VERBS})


ANY_VERB = frozenset({"*"})
_PROJECT_TEXT = """
    make gmake cmake ninja meson bazel bazelisk buck2 pants scons gradle gradlew mvn mvnw ant sbt
    lein rake tox nox pytest py.test unittest jest vitest mocha ava karma cypress playwright
    ctest cargo-nextest phpunit pest rspec behave robot ginkgo gotestsum just task go-task
    invoke fab doit snakemake nextflow dvc pre-commit lefthook husky webpack vite rollup parcel
    esbuild tsup turbo nx lerna rush next nuxt astro gatsby remix ng vue-cli-service
    react-scripts expo storybook wrangler serverless sam cdk pulumi sphinx-build mkdocs jekyll
    hugo eleventy alembic flask django-admin manage.py uvicorn gunicorn hypercorn daphne celery
    streamlit jupyter nbconvert papermill rails bundle gulp grunt
    """
_PROJECT_CODE = frozenset(_PROJECT_TEXT.split())
"""Programs whose work is to run what the project says."""
_LOOKS = frozenset({"", "help", "version", "--version", "list", "ls", "info", "view", "config"})
_VERBS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    name: (frozenset(project.split()), frozenset(package.split()))
    for names, project, package in (
        (
            "npm",
            "run run-script test t start stop restart",
            "install i ci add exec x update rebuild",
        ),
        ("yarn pnpm bun", "*", "install i add dlx exec x update upgrade create"),
        ("npx pnpx bunx uvx pipx", "", "*"),
        ("cargo", "build b test t run r bench check clippy doc", "install add update"),
        ("go", "build test run generate vet install", "get"),
        ("dotnet", "build test run publish", "restore add tool"),
        ("pip pip3", "", "install download wheel"),
        ("uv", "run build", "sync add pip tool"),
        ("poetry pdm hatch pipenv rye", "run build test", "install add update sync"),
        ("composer", "run run-script test", "install update require"),
        ("gem", "", "install update"),
        ("brew apt apt-get dnf yum apk pacman snap conda mamba", "", "install upgrade add"),
        ("docker podman docker-compose", "build run up compose", ""),
        ("mix", "*", "deps.get"),
        ("swift zig dart flutter deno", "*", "pub"),
    )
    for name in names.split()
}
"""Subcommands that run the project's code, and those that run code of packages."""


_HARMLESS_TEXT = """
    ls ll dir tree stat du df file which whereis type whoami id groups hostname uname uptime date
    cal pwd printenv tty nproc free vmstat iostat lscpu lsblk lsof ps top htop pgrep pidof jobs
    w who last sleep wait yes true false seq expr bc dc factor test [ [[ : echo printf cat head
    tail less more wc sort uniq cut tr paste join comm diff cmp colordiff delta column fold fmt nl
    rev tac expand unexpand od xxd hexdump strings md5sum sha1sum sha256sum sha512sum cksum b2sum
    base64 base32 grep egrep fgrep rg ag ack zgrep jq basename dirname realpath readlink
    man info apropos whatis tldr help clear tput stty locale getconf getent nslookup dig host ping
    traceroute netstat ss ip ifconfig route arp git hexyl bat batcat exa eza lsd fd fdfind find locate
    cloc tokei scc ruff black isort flake8 pylint mypy pyright tsc eslint prettier shellcheck shfmt
    gofmt goimports rustfmt clang-format clang-tidy yamllint markdownlint hadolint actionlint
    cd pushd popd export unset set shift exit return break continue let local declare typeset
    readonly alias unalias trap umask ulimit times hash command builtin eval exec source . read
    mapfile readarray getopts history fc bind complete compgen shopt enable disown bg fg kill mkdir
    touch mktemp rmdir ln sync chmod chown chgrp install node python python3 gh glab kubectl helm
    terraform tofu aws gcloud az psql mysql sqlite3 redis-cli mongosh curl wget ssh scp rsync
    """
_HARMLESS = frozenset(_HARMLESS_TEXT.split())
"""Programs that only look, or whose effects are described elsewhere."""
