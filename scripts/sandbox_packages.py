"""Install, build and test real packages outside the sandbox and inside it, and compare.

python scripts/sandbox_packages.py [--mode always] [NAME …]

Every package gets a home and a project of its own, so that caches are cold. Its commands run as an agent's
shell would run them: judged, and rewritten where the guard confines. It needs the package registries and
takes a while, so it is run by hand before a release and not with the tests.
"""
# ruff: noqa: E501 - commands stand on one line, as they are typed

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Literal, NamedTuple, get_args

from snaphook.providers.guard.examine import examine
from snaphook.providers.guard.sandboxing.confine import Confiner
from snaphook.providers.guard.settings import GuardSettings
from snaphook.sandbox.calls import ConfinedCalls
from snaphook.sandbox.helper import ability
from snaphook.sandbox.settings import SandboxSettings
from snaphook.sandbox.store import PolicyStore
from snaphook.shell.live import LiveWorld

Mode = Literal["off", "unknown", "always"]
SECONDS = 900
PERSON = ": by a person; "
"""In front of what a person does first: hooks are protected from confined commands."""
_NOISE = re.compile(r"\d+(\.\d+)?\s?m?s\b|0x[0-9a-f]+|\(\d[^)]*\)|\d+\.\d+")


class Package(NamedTuple):
    """A real package, and what is done with it."""

    name: str
    commands: tuple[str, ...]
    """Shell text; the last one's output is compared, times aside."""


def _sdist(name: str, *needs: str, tests: str = "tests", options: str = "") -> Package:
    """Return a Python package whose own tests run from its source."""
    return Package(
        f"pypi:{name}",
        (
            "python3 -m venv v && v/bin/pip install -q pytest " + " ".join(needs),
            f"v/bin/pip download -q --no-deps --no-binary :all: {name}",
            "tar xf *.tar.gz && rm *.tar.gz && mv *-* src",
            "v/bin/pip install -q ./src",
            f"cd src && ../v/bin/python -m pytest -q {options} {tests} 2>&1 | tail -1",
        ),
    )


def _wheel(name: str, check: str, *, options: str = "") -> Package:
    return Package(
        f"pypi:{name}",
        (
            "python3 -m venv v",
            f"v/bin/pip install -q {options} {name}",
            f"v/bin/python -c '{check}'",
        ),
    )


def _npm(name: str, check: str) -> Package:
    return Package(
        f"npm:{name}",
        ("npm init -y >/dev/null", f"npm install --silent {name}", f"node -e '{check}'"),
    )


def _go(path: str) -> Package:
    return Package(
        f"go:{path}",
        ("go mod init example.org/m 2>/dev/null", f"go get {path}", f"go test {path} | cut -f1,2"),
    )


def _cargo(name: str, body: str, features: str = "") -> Package:
    main = body.replace("'", "'\\''")
    return Package(
        f"crates:{name}",
        (
            "cargo init -q --name app .",
            f"cargo add -q {name} {features}",
            f"printf '%s' '{main}' > src/main.rs",
            "cargo build -q && cargo test -q 2>&1 | grep -c 'test result: ok'",
        ),
    )


PACKAGES = (
    _sdist("iniconfig", tests="testing"),
    _sdist("more-itertools", "pytest-xdist", options="-n 2"),
    _sdist("idna"),
    _sdist("pluggy", tests="testing", options="-p no:cacheprovider"),
    _sdist("toolz", tests="."),
    _wheel("six", "import six; print(six.PY3)"),
    _wheel("requests", "import requests; print(requests.codes.ok)"),
    _wheel("markupsafe", "import markupsafe._speedups; print(1)", options="--no-binary markupsafe"),
    _wheel("ujson", "import ujson; print(ujson.dumps([1]))", options="--no-binary ujson"),
    _npm("is-number", "console.log(require(`is-number`)(5))"),
    _npm("semver", "console.log(require(`semver`).valid(`1.2.3`))"),
    _npm("express", "console.log(typeof require(`express`)())"),
    _npm("esbuild", "console.log(require(`esbuild`).transformSync(`let a: any`, {loader: `ts`}).code)"),
    Package("npm:mocha", (
        "npm init -y >/dev/null", "npm install --silent mocha",
        "mkdir -p test; echo 'it(`adds`, () => require(`assert`).equal(1 + 1, 2))' > test/a.js; npx mocha 2>&1 | grep -c passing")),
    Package("npm:typescript", (
        "npm init -y >/dev/null", "npm install --silent typescript", "echo 'let a: number = 1' > a.ts",
        "npx tsc a.ts && node a.js && wc -c < a.js")),
    _go("github.com/google/uuid"),
    _go("github.com/pkg/errors"),
    _go("github.com/mattn/go-isatty"),
    _go("github.com/gorilla/mux"),
    _go("github.com/spf13/pflag"),
    _cargo("itoa", "fn main() { println!(\"{}\", itoa::Buffer::new().format(1)); }\n#[test] fn t() { main() }"),
    _cargo("serde_json", "fn main() { println!(\"{}\", serde_json::json!({\"a\": 1})); }\n#[test] fn t() { main() }"),
    _cargo("anyhow", "fn main() -> anyhow::Result<()> { Ok(()) }\n#[test] fn t() { main().unwrap() }"),
    _cargo("libz-sys", "fn main() { assert!(unsafe { libz_sys::zlibVersion() } as usize != 0) }\n#[test] fn t() { main() }",
           "--features static"),
    _cargo("libz-ng-sys", "fn main() {}\n#[test] fn t() { unsafe { libz_ng_sys::zlibVersion() }; }"),
    _cargo("tikv-jemalloc-sys", "fn main() {}\n#[test] fn t() { unsafe { tikv_jemalloc_sys::malloc(1) }; }"),
    Package("work:git signed with hooks", (
        "git init -q . && git config user.email a@b.c && git config user.name Ada && ssh-keygen -q -t ed25519 -N '' -f ~/key",
        "git config gpg.format ssh && git config user.signingkey ~/key.pub && git config commit.gpgsign true",
        PERSON + "printf '#!/bin/sh\\necho hook ran > hook.txt\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/*",
        "echo a > a && git add a && git commit -qm one && git cat-file -p HEAD | grep -c 'BEGIN SSH' && cat hook.txt")),
    Package("work:a server in the background", (
        "echo hello > page.txt; python3 -m http.server 18473 --bind 127.0.0.1 >/dev/null 2>&1 & echo $! > pid",
        "for i in $(seq 50); do curl -sf http://127.0.0.1:18473/page.txt && break; sleep 0.2; done",
        "kill $(cat pid); sleep 0.5; curl -s http://127.0.0.1:18473/page.txt; echo $?")),
    Package("work:a debugger", (
        "printf 'int f(int a) { return a + 1; }\\nint main(void) { return f(41); }\\n' > a.c && cc -g -o a a.c",
        "gdb -q -batch -ex 'break f' -ex run -ex 'print a' ./a 2>&1 | tail -1")),
)  # fmt: skip


class Place:
    """A home of its own with a project in it."""

    def __init__(self, mode: Mode) -> None:
        self.base = Path(tempfile.mkdtemp(prefix="snaphook-packages-", dir=Path.home()))
        self.home, self.project = self.base / "home", self.base / "home" / "project"
        self.project.mkdir(parents=True)
        for name in (".rustup", ".npmrc", ".config/pip"):  # how this machine reaches its registries
            if (Path.home() / name).exists():
                (self.home / name).parent.mkdir(parents=True, exist_ok=True)
                (self.home / name).symlink_to(Path.home() / name)
        self.env = {**os.environ, "HOME": str(self.home), "CARGO_HOME": str(self.home / ".cargo"),
                    "GOPATH": str(self.home / "go"), "GOFLAGS": "-mod=mod", "CARGO_TERM_COLOR": "never"}  # fmt: skip
        self.mode = mode
        store = PolicyStore(self.base / "data" / "sandbox", known=False)
        self.guard = GuardSettings()
        self.confiner = Confiner(
            SandboxSettings(mode="unknown" if mode == "off" else mode),
            self.guard,
            store,
            can_modify=lambda _event, _context: True,
            calls=ConfinedCalls(store.folder / "calls"),
        )

    def run(self, command: str) -> tuple[int, str]:
        """Run *command* as an agent's shell would; return its exit code and what it printed."""
        free = self.mode == "off" or command.startswith(PERSON)
        text = command if free else self._rewritten(command)
        done = subprocess.run(
            ["bash", "-c", text], cwd=self.project, env=self.env, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=SECONDS, check=False, errors="replace",
        )  # fmt: skip
        return done.returncode, done.stdout

    def _rewritten(self, command: str) -> str:
        world = LiveWorld(str(self.project), env=self.env, project=str(self.project))
        judgement = examine(command, world, settings=self.guard)
        made = self.confiner.command(self.confiner.relieved(judgement), world)
        return made[0] if made else command

    def close(self) -> None:
        """Remove it; Go makes its cache read-only."""
        subprocess.run(["chmod", "-R", "u+w", self.base], check=False)
        shutil.rmtree(self.base, ignore_errors=True)


def result(package: Package, mode: Mode) -> tuple[list[int], str, str]:
    """Return the exit codes, the last output without times, and the whole output."""
    place = Place(mode)
    try:
        said = [place.run(command) for command in package.commands]
    finally:
        place.close()
    last = _NOISE.sub("", said[-1][1].replace(str(place.base), ""))
    return [code for code, _ in said], last, "\n".join(text for _, text in said)


def main() -> int:
    """Compare the packages that are named, or all."""
    words = sys.argv[1:]
    modes: list[Mode] = [one for one in get_args(Mode)[1:] if "--mode" not in words or one in words]
    names = [word for word in words if not word.startswith("--") and word not in get_args(Mode)]
    if not ability().confines:
        print("cannot confine here: " + " ".join(ability().gaps))
        return 2
    different = 0
    chosen = [one for one in PACKAGES if not names or any(name in one.name for name in names)]
    for package in chosen:
        started = perf_counter()
        outside = result(package, "off")
        took = perf_counter() - started
        for mode in modes:
            started = perf_counter()
            inside = result(package, mode)
            same = inside[:2] == outside[:2]
            different += not same
            broken = "" if not any(outside[0]) else " (fails outside, too)"
            times = f"{took:.0f} s outside, {perf_counter() - started:.0f} s inside"
            print(
                f"{'same' if same else 'DIFFERENT':<10}{mode:<8} {package.name:<40} {times}{broken}",
                flush=True,
            )
            if not same:
                print(
                    f"  outside: {outside[0]} {outside[1]!r}\n  inside:  {inside[0]} {inside[1]!r}\n{inside[2][-1500:]}"
                )
    print(f"{len(chosen) * len(modes) - different} same, {different} different")
    return 1 if different else 0


sys.exit(main())
