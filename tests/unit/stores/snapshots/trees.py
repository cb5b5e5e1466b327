"""Work trees made at random, commands that destroy them, and what a tree is, byte for byte."""

import os
import random
import stat
import subprocess
from pathlib import Path

NAMES = (
    "a.txt",
    "b c.py",
    "ünï.md",
    'quo"te',
    "back\\slash",
    "deep/er/d.txt",
    "deep/e.bin",
    "x/y/z",
)
ENV = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.com",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.com",
}
DESTROYERS = (
    "git reset --hard",
    "git reset --hard HEAD~1",
    "git checkout -- .",
    "git checkout -f other",
    "git checkout HEAD~1 -- .",
    "git restore --staged --worktree .",
    "git clean -fdx",
    "git clean -fd",
    "git stash drop",
    "git stash clear",
    "git branch -D other",
    "git rm -rfq .",
    "git read-tree --reset -u HEAD~1",
    "rm -rf deep x",
    "rm -rf -- a.txt 'b c.py' ignored",
    "rm -f *",
    "find . -path ./.git -prune -o -type f -exec truncate -s 0 {} +",
    "for f in a.txt deep/e.bin; do echo gone > $f; done",
    "mv deep x && echo > deep",
    "chmod 600 a.txt; rm -rf deep; ln -s /nowhere deep",
    "rm -rf empty && git reset --hard -q",
)


def run(root: Path, line: str, *, check: bool = False) -> str:
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=root,
        env=ENV,
        capture_output=True,
        text=True,
        check=check,
        timeout=60,
    )
    return done.stdout


def make(root: Path, seed: int) -> None:
    """Fill *root* with a repository that has history, staged, changed, untracked and ignored files."""
    chance = random.Random(seed)
    root.mkdir(parents=True, exist_ok=True)
    run(root, "git init -q -b main && echo 'ignored/' > .gitignore", check=True)
    if chance.random() < 0.3:
        (root / ".gitattributes").write_text("* text=auto eol=crlf\n")
    _scribble(root, chance, NAMES)
    run(root, "git add -A && git commit -qm one", check=True)
    _scribble(root, chance, chance.sample(NAMES, 4))
    run(root, "git add -A && git commit -qm two --allow-empty && git branch other", check=True)
    if chance.random() < 0.6:
        _scribble(root, chance, chance.sample(NAMES, 2))
        run(root, "git stash -q -u")
    _scribble(root, chance, chance.sample(NAMES, 3))
    run(root, "git add -A")
    _scribble(root, chance, chance.sample(NAMES, 3))
    for name in chance.sample(NAMES, 2):
        if (root / name).is_file():
            (root / name).unlink()
    _scribble(root, chance, ("new.txt", "fresh/one", "ignored/.env", "ignored/deep/db"))
    (root / "empty").mkdir(exist_ok=True)
    (root / "empty").chmod(chance.choice((0o755, 0o700)))
    if chance.random() < 0.3:
        run(root, "git checkout -q --detach")


def _scribble(root: Path, chance: random.Random, names: tuple[str, ...] | list[str]) -> None:
    for name in names:
        path = root / name
        if path.is_symlink():
            path.unlink()
        path.parent.mkdir(parents=True, exist_ok=True)
        if chance.random() < 0.15:
            path.unlink(missing_ok=True)
            path.symlink_to(chance.choice(("a.txt", "/etc/hosts", "no/where")))
            continue
        kind = chance.random()
        text = chance.randbytes(chance.randrange(2_000)) if kind < 0.3 else b"line\r\nline\n" * 9
        path.write_bytes(text + str(chance.random()).encode() * (kind > 0.05))
        path.chmod(chance.choice((0o644, 0o644, 0o755, 0o600, 0o640)))


def whole(root: Path) -> dict[str, object]:
    """Return everything that a person could miss: files, modes, links, index, branches, stashes."""
    found: dict[str, object] = {}
    for folder, folders, files in os.walk(root):
        if Path(folder) == root:
            folders.remove(".git")
        for name in (*folders, *files):
            path = Path(folder) / name
            seen = path.lstat()
            key = str(path.relative_to(root))
            if stat.S_ISLNK(seen.st_mode):
                found[key] = ("link", str(path.readlink()))
            elif stat.S_ISREG(seen.st_mode):
                found[key] = ("file", stat.S_IMODE(seen.st_mode), path.read_bytes())
            elif name == "empty":
                found[key] = ("folder", stat.S_IMODE(seen.st_mode))
    found["index"] = run(root, "git ls-files -s -z")
    found["status"] = run(root, "git status --porcelain=v2 --ignored")
    found["head"] = run(root, "git symbolic-ref -q HEAD; git rev-parse HEAD")
    found["branches"] = run(root, "git for-each-ref refs/heads refs/stash")
    found["stashes"] = run(root, "git stash list")
    return found
