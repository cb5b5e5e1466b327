"""What would be lost with a file: nothing that a tool makes again, much that only people have.

name + what git, build files and markers say  ->  made by a tool, or kept nowhere else

That git ignores a file says only that it is not committed: `.env`, a database and a folder of data
are ignored as well, and nothing brings them back.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

from snaphook.lazy import regex
from snaphook.shell.text import UNKNOWN, plain
from snaphook.shell.world import World

_MADE_TEXT = """
    node_modules bower_components jspm_packages .next .nuxt .output .svelte-kit __pycache__
    .pytest_cache .mypy_cache .ruff_cache .tox .nox .venv venv .eggs .hypothesis htmlcov coverage
    .coverage .nyc_output .cache .parcel-cache .turbo .gradle .angular .vite .dart_tool
    .serverless .aws-sam cdk.out elm-stuff zig-cache .zig-cache zig-out buck-out .stack-work
    dist-newstyle Pods DerivedData storybook-static site-packages playwright-report test-results
    .docusaurus .vercel .netlify .expo .metro-cache .ipynb_checkpoints .terragrunt-cache
    .eslintcache .stylelintcache .sass-cache .jest-cache .rpt2_cache .wrangler .pnpm-store
    .yarn-cache .webpack .fusebox .dynamodb .ccls-cache .clangd CMakeFiles cmake-build-debug
    cmake-build-release .build .swiftpm .bundle .terraform __generated__ _site .jekyll-cache
    .hugo_build.lock celerybeat-schedule .scrapy .pybuilder .pdm-build .pixi .ninja_deps .mypy
    .benchmarks .generated .astro .contentlayer .remix .blitz .dist .husky/_ .rollup.cache
    .swc .tanstack .million .nx .rush .docz .umi .sst .yalc .stryker-tmp .hardhat typechain-types
    .brownie .foundry .pyre .pytype .dmypy.json .cargo-ok .bloop .metals .scala-build .ccache
    .sccache .ipython .virtualenv virtualenv .python-version.lock .pnp.cjs .direnv result-bin
"""
MADE = frozenset(_MADE_TEXT.split())
"""Names that only tools give, to what they make again."""
_TEMPORARY = frozenset({"tmp", "temp", ".tmp", ".temp", "logs", "log"})
"""Names that say that nothing in them is meant to last."""
_OUTPUT_TEXT = """
    dist build target out output _build obj pkg Debug Release artifacts generated bin
"""
_OUTPUT = frozenset(_OUTPUT_TEXT.split())
"""Names that builds give to what they make, and people to what they write."""
_BY_RULE = frozenset({"dist", "build", "target", "out", "_build", "obj", "Debug", "Release"})
"""The ones among them that a build file of the project accounts for."""
_BUILD_FILES = (
    "package.json", "pyproject.toml", "setup.py", "setup.cfg", "Cargo.toml", "pom.xml", "build.gradle",
    "build.gradle.kts", "CMakeLists.txt", "meson.build", "Makefile", "makefile", "GNUmakefile",
    "build.sbt", "mix.exs", "rebar.config", "dune-project", "pubspec.yaml", "Package.swift",
    "BUILD.gn", "WORKSPACE", "MODULE.bazel", "build.zig", "go.mod", "tsconfig.json", "Rakefile",
    "gulpfile.js", "webpack.config.js", "stack.yaml", "cabal.project", "angular.json", "deno.json",
)  # fmt: skip
_PROJECTS = regex(r".*\.(?:csproj|fsproj|vbproj|sln|vcxproj|xcodeproj|cabal|nimble|gemspec|spec)")
_MADE_FILES = regex(
    r".*\.(?:pyc|pyo|o|obj|class|log|tmp|swp|swo|orig|rej|tsbuildinfo|gcda|gcno|gcov|profraw|cache|pid"
    r"|lock\.tmp|elc|beam|hi|dyn_o|rlib|rmeta|d\.tsbuildinfo|coverage|lcov|prof|trace|heapsnapshot)"
    r"|.*\.(?:egg|dist)-info|cmake-build-.*|bazel-.*|.*\.xcodeproj\.build|\.DS_Store|Thumbs\.db|.*~"
    r"|npm-debug\.log.*|yarn-error\.log.*|core\.\d+|\.coverage\..*|coverage\.xml|junit.*\.xml|nohup\.out"
    r"|.*\.(?:a|so|dylib|dll|exe|wasm|bak)"
)
_OUTPUT_SHAPES = regex(r"(?:build|dist)[-_].*|.*[-_](?:build|dist|cache|out)")
_SOURCES = regex(
    r".*\.(?:py|pyi|ts|tsx|go|rs|c|cc|cpp|h|hpp|java|kt|swift|rb|php|ex|exs|erl|hs|ml|scala|clj|sh|sql|md|tf|vue|svelte|proto)"
)
_MARKERS = (
    "CACHEDIR.TAG",
    "pyvenv.cfg",
    ".package-lock.json",
    ".yarn-integrity",
    ".buildinfo",
    "CMakeCache.txt",
)
"""Files by which tools say that they made a folder (https://bford.info/cachedir/, PEP 405)."""
_KEPT = regex(
    r"\.env(?:\.(?!example$|sample$|template$|dist$|test$|ci$|defaults?$|schema$)[\w.-]+)?|[\w-]+\.env|\.envrc(?:\.local)?"
    r"|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ovpn|ppk|mobileprovision|gpg)|id_(?:rsa|dsa|ecdsa|ed25519)\w*"
    r"|.*\.(?:sqlite3?|s3db|db|db3|mdb|accdb|rdb|aof|mdf|ldf|duckdb|realm|fdb)(?:-wal|-shm|-journal)?"
    r"|.*\.(?:dump|dmp|bson|bak\.gz|sql\.gz|sql\.zst|backup|pgdump)|dump.*\.sql|.*(?:dump|backup|export)[\w.-]*\.(?:sql|json|csv|tgz|tar\.gz|zip)"
    r"|.*\.tfstate(?:\.backup)?|.*\.tfvars(?:\.json)?|local_settings\.py|settings\.local\..*|.*\.local\.(?:json|ya?ml|toml|ini|py|php|env)"
    r"|config\.local.*|docker-compose\.override\.ya?ml|secrets?\.(?:ya?ml|json|toml|env|txt|ini)|credentials?(?:\..*)?"
    r"|\.(?:npmrc|pypirc|netrc|pgpass|htpasswd|vault_pass\w*)|master\.key|.*\.wallet|wallet\.dat|.*kubeconfig.*|service[-_]account.*\.json"
)
_PASSING = regex(
    r"(?:.*[-_.])?(?:test|tests|tmp|temp|scratch|demo|sample|example|fixture)s?(?:[-_.].*)?|:memory:"
)
"""Names of databases and keys that are made for a test and thrown away."""


def is_kept_nowhere_else(path: str, world: World) -> bool:
    """Say whether *path* names what people keep and no commit holds: secrets, data, local settings."""
    name = plain(path).rpartition("/")[2]
    if UNKNOWN in name or _KEPT.fullmatch(name) is None or _PASSING.fullmatch(name):
        return False
    return world.exists(path) is not False and world.committed(path) is not True


def is_made(name: str) -> bool:
    """Say whether only tools give *name*, whatever stands around it."""
    return plain(name) in MADE


def is_build_name(name: str) -> bool:
    """Say whether *name* is one that tools give to what they make, and people at times to theirs."""
    text = plain(name)
    if text in MADE or text in _TEMPORARY or text in _OUTPUT:
        return True
    if UNKNOWN in name or text == "~":
        return False
    return (_MADE_FILES.fullmatch(text) or _OUTPUT_SHAPES.fullmatch(text)) is not None


def is_output(path: str, world: World) -> bool:
    """Say whether *path*, whose name is one that builds give, is what a build makes.

    What git tracks is source code, whatever it is called. The rest is output where git ignores
    it, a tool marked it, or the project has a build file that accounts for the name.
    """
    if UNKNOWN in path:
        return True
    path = plain(path)
    tracked = world.tracked(path)
    if tracked:
        return False
    folder, _, name = path.rpartition("/")
    if name in _TEMPORARY or _MADE_FILES.fullmatch(name) or world.exists(path) is False:
        return True
    if tracked is None:
        return name in _OUTPUT and not _holds_sources(path, world)
    if world.ignored(path) or is_marked(path, world):
        return True
    return name in _BY_RULE and (_is_built(folder, world) or _is_built(world.project, world))


def is_marked(path: str, world: World) -> bool:
    """Say whether a tool left word in the folder *path* that it made it."""
    names = world.names(path)
    if names is None:
        return False
    if any(marker in names for marker in _MARKERS):
        return True
    return ".gitignore" in names and (world.text(f"{path}/.gitignore", 200) or "").split() == ["*"]


def _is_built(folder: str, world: World) -> bool:
    names = world.names(folder) or ()
    return any(name in _BUILD_FILES or _PROJECTS.fullmatch(name) for name in names)


def _holds_sources(path: str, world: World) -> bool:
    return any(_SOURCES.fullmatch(name) for name in (world.names(path) or ())[:200])


def matched(path: str, world: World) -> list[str] | None:
    """Return what a glob in the last part of *path* takes; nothing where that cannot be told."""
    folder, _, shape = path.rpartition("/")
    names = world.names(folder) if plain(folder) == folder and UNKNOWN not in path else None
    if names is None:
        return None
    pattern = plain(shape)
    hidden = pattern.startswith(".")
    return [
        f"{folder}/{name}"
        for name in names
        if fnmatchcase(name, pattern) and (hidden or not name.startswith("."))
    ]
