"""Packages whose name is nearly that of another one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from snaphook.lazy import regex
from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.harm import only_asks
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Arg, Call, Effect, Span
from snaphook.shell.world import World

_REGISTRIES: Mapping[str, tuple[str, frozenset[str]]] = {
    program: (registry, frozenset(verbs.split()))
    for programs, registry, verbs in (
        ("pip pip3", "pypi", "install download wheel"),
        ("pipx", "pypi", "install run inject"),
        ("uv", "pypi", "add install run"),
        ("uvx", "pypi", ""),
        ("poetry pdm rye hatch", "pypi", "add"),
        ("npm pnpm yarn bun", "npm", "install i add exec x dlx create"),
        ("npx bunx pnpx", "npm", ""),
        ("cargo", "crates", "add install"),
        ("gem", "rubygems", "install"),
        ("bundle", "rubygems", "add"),
    )
    for program in programs.split()
}
"""Which registry a program installs from, and with which subcommands."""
_MANIFESTS = (
    "package.json", "requirements.txt", "requirements-dev.txt", "pyproject.toml", "setup.cfg", "setup.py",
    "Pipfile", "poetry.lock", "uv.lock", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "Cargo.toml",
    "Cargo.lock", "Gemfile", "Gemfile.lock",
)  # fmt: skip
_LONGEST_MANIFEST = 2_000_000
_VALUE_TEXT = """
    -r --requirement -c --constraint -e --editable -t --target -i --index-url --extra-index-url -f
    --find-links --prefix --python --group --extra --features --with --from
"""
_VALUES = frozenset(_VALUE_TEXT.split())
"""Options whose value is no package of its own name; ``--with`` and ``--from`` are looked at."""
_PACKAGES_AFTER = frozenset({"--with", "--from"})
_NAME = regex(r"(@[\w.-]+/)?[A-Za-z0-9][\w.-]*")
_SHORTEST = 5
"""Names of fewer letters have real neighbours: pg, ws, vue, jest."""
_REAL_TEXT = """
    preact tslint jslint mysql mysql3 simpy scapy willow attr boto boto2 nose2 toml tomlkit tomli-w flasky
    typed panda redux-saga reselect aredis rediss httpie pytests pyyaml-env reactjs vuex vuepress expresso
    chai clsx colord dotenvx eslint_d fastapi-cli gulp-cli hapi koa2 lodash-es nextra nuxi nestjs parse5
    postcss-cli prettierd rollups sassc seqlize svelte2tsx tape vitepress webpacks yargs-parser zodios
    pytest-mocks types-six spacy-legacy scikit-learn-extra sphinxext sqlalchemy2 jinja torchx kombu
    pandas-ta polar cython2 regexp request requests2 tokio1 serde1 rails5 quotes async async1 crossbeams
    slog clap3 black23 slack marko mocha2 ioredis mobx
"""
_REAL = frozenset(_REAL_TEXT.split())
"""Packages in their own right that happen to be close to a popular one."""


def imitated(name: str, registry: str) -> str:
    """Return the popular package that *name* is nearly, or nothing.

    Nearly: one letter more, less, another or swapped; other separators; or the scope left out.
    """
    from snaphook.shell.popular import BY_REGISTRY  # for installs only

    return _imitated(name.lower(), BY_REGISTRY[registry], registry)


@lru_cache(maxsize=512)
def _imitated(name: str, popular: frozenset[str], registry: str) -> str:
    name = re.sub(r"[_.]", "-", name) if registry == "pypi" else name
    if name in popular or name in _REAL or len(name) < _SHORTEST:
        return ""
    bare = _bare(name)
    for known in sorted(popular):
        if len(known) < _SHORTEST or abs(len(known) - len(name)) > 3:
            continue
        if _bare(known) == bare or (abs(len(known) - len(name)) <= 1 and _is_one_off(name, known)):
            return known
    return ""


def _bare(name: str) -> str:
    return re.sub(r"[-_./@]", "", name)


def _is_one_off(one: str, other: str) -> bool:
    """Say whether one insertion, removal, change or swap of neighbours makes *one* the *other*."""
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    a, b = one[start:], other[start:]
    if len(a) == len(b):
        return a[1:] == b[1:] or (a[:2] == b[1::-1] and a[2:] == b[2:] and len(a) > 1)
    longer, shorter = (a, b) if len(a) > len(b) else (b, a)
    return longer[1:] == shorter


def _named(call: Call) -> Iterator[tuple[Arg, str]]:
    """Yield the packages that *call* names, without versions and extras."""
    _, verbs = _REGISTRIES[call.program]
    began = not verbs
    skip = ""
    for arg in call.args:
        text = arg.text
        if skip:
            skip, was = "", skip
            if was not in _PACKAGES_AFTER:
                continue
        elif text in _VALUES:
            skip = text
            continue
        elif text[:1] == "-":
            continue
        elif not began:
            began = text in verbs
            continue
        elif call.subcommand == "run":
            return  # a program of the project; only what follows --with is a package
        found = _NAME.match(text) if arg.known and "://" not in text else None
        if found and text[found.end() :][:1] != "/":  # owner/repository, a path
            yield arg, found[0]
        if not verbs:
            return  # what follows npx's package are that package's own words


def _known_here(name: str, world: World) -> bool:
    """Say whether a manifest or a lock file of the project names the package."""
    shape = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])", re.IGNORECASE)
    for file in _MANIFESTS:
        text = world.text(f"{world.project}/{file}", _LONGEST_MANIFEST)
        if text is not None and shape.search(text):
            return True
    return False


def _found(call: Call, world: World) -> tuple[Arg, str, str] | None:
    registry, _ = _REGISTRIES[call.program]
    for arg, name in _named(call):
        if (known := imitated(name, registry)) and not _known_here(name, world):
            return arg, name, known
    return None


def objects_to(call: Call, scene: RuleContext) -> Span | None:
    """Point at a package whose name is nearly that of a popular one.

    Asks: pip install reqeusts
    Asks: npm install crossenv
    Asks: npm i lodahs
    Asks: uvx blackk .
    Asks: cargo add serdee
    Allows: pip install requests
    Allows: npm install cross-env
    Allows: npm install preact
    Allows: pip install -r requirements.txt
    Allows: pip install 'requests[socks]>=2'
    Allows: npm install
    Allows: uv run python -m app
    """
    if only_asks(call):
        return None
    found = _found(call, scene.world)
    return found[0].span if found else None


def _advice(fact: Call | Effect, scene: RuleContext) -> str:
    found = _found(fact, scene.world) if isinstance(fact, Call) else None
    if found is None:
        return ""
    return f"Did you mean '{found[2]}'? Check '{found[1]}' in the registry before you install it."


RULE = Rule(
    id="packages.lookalike",
    answer=GuardAnswer.ASK,
    says="installs a package whose name is nearly that of a popular one",
    why="such names are used to spread malware, and its install scripts run at once",
    instead="Check the spelling of the name.",
    advise=_advice,
    programs=tuple(_REGISTRIES),
    objects_to=objects_to,
)
