"""The machine on which every command of the guard's corpus is judged: fixed, and nothing on disk.

A developer named dev works in a git project at /home/dev/project, and has a linked worktree.
"""

from functools import cache

from snaphook.shell.world import StillWorld

HOME = "/home/dev"
PROJECT = f"{HOME}/project"
WORKTREE = f"{HOME}/worktrees/topic"

PACKAGE = """{
  "name": "app",
  "version": "1.2.3",
  "scripts": {
    "build": "tsc -p . && vite build",
    "clean": "rimraf dist",
    "dev": "vite",
    "force-build": "vite build --force",
    "lint": "eslint .",
    "reset": "node scripts/reset.js",
    "test": "vitest run",
    "typecheck": "tsc --noEmit"
  }
}
"""

MAKEFILE = """all: build

build:
\tnpm run build

test:
\tpytest -q

lint types floors:
\truff check .

clean:
\trm -rf dist build
"""

IN_PROJECT = {
    ".claude/settings.json": '{"hooks": {}}\n',
    ".claude/hooks/check.sh": "#!/bin/sh\nexit 0\n",
    ".env": "API_KEY=not-a-real-key\n",
    ".env.example": "API_KEY=\n",
    ".git/HEAD": "ref: refs/heads/topic\n",
    ".git/config": "[core]\n\tbare = false\n",
    ".git/hooks/pre-commit": "#!/bin/sh\nmake lint\n",
    ".git/index": "DIRC",
    ".gitignore": "node_modules\ndist\nbuild\n.venv\n",
    "Makefile": MAKEFILE,
    "README.md": "# App\n",
    "data/prod.sqlite3": "SQLite format 3",
    "app.db": "SQLite format 3",
    "build_tools/pack.py": "print('pack')\n",
    "config/dev.json": "{}\n",
    "config/settings.local.json": "{}\n",
    "db.sqlite3": "SQLite format 3",
    "docs/guide.md": "# Guide\n",
    "docs/index.md": "# Docs\n",
    "generated/api.ts": "export {};\n",
    "pkg/main.go": "package main\n",
    "src/build/steps.py": "STEPS = []\n",
    "tests/test_more.py": "def test_more(): pass\n",
    "uploads/photo.png": "PNG",
    "events.yaml": "events: []\n",
    "package.json": PACKAGE,
    "pyproject.toml": '[project]\nname = "app"\n',
    "queue.yaml": "tasks: []\n",
    "schema.sql": "CREATE TABLE users (id int);\n",
    "scripts/build.sh": "#!/bin/sh\nnpm run build\n",
    "scripts/ci.sh": "#!/bin/sh\nmake test\n",
    "scripts/reset.js": "console.log('reset');\n",
    "snaphook.toml": "[guard]\n",
    "src/app.py": "print('hello')\n",
    "src/main.js": "console.log('hello');\n",
    "src/main.py": "print('hello')\n",
    "tests/test_app.py": "def test_app(): pass\n",
}
"""The files of the project that a command's meaning may hang on."""

UNTRACKED = (
    ".env",
    "app.db",
    "config/settings.local.json",
    "data/prod.sqlite3",
    "db.sqlite3",
    "uploads/photo.png",
)
"""What no commit holds."""

IGNORED = ("node_modules", "dist", "build", ".venv", "data", "uploads", *UNTRACKED)
"""What git ignores: what a build brings back, and what nothing does."""

IN_HOME = {
    ".aws/credentials": "[default]\n",
    ".bashrc": "# mine\n",
    ".claude/settings.json": '{"hooks": {}}\n',
    ".gitconfig": "[user]\n\tname = Dev\n",
    ".ssh/id_ed25519": "-----BEGIN OPENSSH PRIVATE KEY-----\n",
    ".ssh/id_rsa": "-----BEGIN RSA PRIVATE KEY-----\n",
    "Documents/letter.txt": "Dear reader,\n",
}
"""The files of the developer that a command's meaning may hang on."""


@cache
def world(cwd: str | None = None) -> StillWorld:
    """Return the machine, seen from *cwd* (the project's root where none is given)."""
    here = cwd or PROJECT
    return StillWorld(
        home=HOME,
        cwd=here,
        project=WORKTREE if here.startswith(WORKTREE) else PROJECT,
        env={"HOME": HOME, "PATH": "/usr/bin:/bin", "PWD": here, "TMPDIR": "/tmp", "USER": "dev"},
        files={f"{PROJECT}/{name}": text for name, text in IN_PROJECT.items()}
        | {f"{HOME}/{name}": text for name, text in IN_HOME.items()},
        ignored_paths=[f"{PROJECT}/{name}" for name in IGNORED],
        worktrees=[WORKTREE],
        tracked_paths=[f"{PROJECT}/{name}" for name in IN_PROJECT if name not in UNTRACKED],
    )
