"""Losing files without deleting them: emptied, replaced, moved away."""

from __future__ import annotations

import re

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.path_classes import PathClass
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Act, Effect, Span
from snaphook.shell.text import has_glob
from snaphook.shell.worth import is_kept_nowhere_else

_SAFE_DEVICES = (
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/tty",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/fd/",
    "/dev/pts/",
    "/dev/tcp/",
    "/dev/udp/",
    "/dev/random",
    "/dev/urandom",
    "/dev/ptmx",
    "/dev/stdin",
)


def writes_device(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at the disk or device that would be written to.

    Blocks: dd if=/dev/zero of=/dev/sda
    Blocks: cat image.iso > /dev/nvme0n1
    Blocks: cp image.iso /dev/sdb
    Blocks: tee /dev/sda < x
    Allows: dd if=/dev/zero of=disk.img bs=1M count=10
    Allows: make > /dev/null 2>&1
    """
    path = effect.path
    if scene.places.of(path) is not PathClass.DEVICE or path.startswith(_SAFE_DEVICES):
        return None
    return effect.span


def writes_system(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at the part of the operating system that would be written.

    Asks: echo "1.2.3.4 x" | sudo tee -a /etc/hosts
    Asks: echo x > /etc/passwd
    Asks: cp app /usr/local/bin/app
    Allows: cat /etc/hosts
    Allows: echo x > notes.txt
    """
    place = scene.places.of(effect.path)
    return effect.span if place in (PathClass.SYSTEM, PathClass.ROOT) else None


def empties_precious(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at a file outside the project, or in its history, that would be emptied or replaced.

    Asks: > ~/notes.txt
    Asks: truncate -s 0 ~/notes.txt
    Asks: cp /dev/null .git/config
    Asks: ln -sf /dev/null ~/.bash_history
    Allows: echo x > /tmp/x
    Allows: echo x > out.txt
    """
    place = scene.places.of(effect.path)
    if place is PathClass.OUTSIDE:
        lost = effect.forced or effect.act is Act.LINK or scene.world.kind(effect.path) == "file"
        return effect.span if lost else None
    return effect.span if place in (PathClass.HOME, PathClass.GIT) else None


def empties_sources(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at a file of the project that a program made for it would empty.

    Asks: truncate -s 0 src/main.py
    Asks: : > src/main.py
    Asks: cp /dev/null README.md
    Asks: shred -u secret.txt
    Allows: truncate -s 0 app.log
    Allows: echo hello > README.md
    """
    program = effect.call.program
    if effect.act is Act.LINK and not any(
        arg.text == "/dev/null" for arg in effect.call.operands[:1]
    ):
        return None
    if not effect.forced or (program == "dd" and scene.world.kind(effect.path) != "file"):
        return None
    if effect.act is Act.DELETE and program not in ("shred", "srm", "wipe"):
        return None
    if scene.world.exists(effect.path) is False:
        return None  # a new file is made, and nothing lost
    return effect.span if scene.places.of(effect.path) is PathClass.INSIDE else None


def replaces_kept(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at a file of secrets, data or local settings whose text would be replaced.

    No commit holds such a file, and git ignores it. Only what is there can be lost; a copy made
    earlier in the same command is a backup, and adding a line or editing one is no loss.

    Asks: cp .env.example .env
    Asks: echo KEY=1 > .env
    Asks: mv /tmp/new.sqlite3 db.sqlite3
    Asks: python3 -c "open('.env', 'w').write('')"
    Allows: echo KEY=1 >> .env
    Allows: sed -i s/a/b/ .env
    Allows: cp .env.example .env.local
    Allows: cp .env .env.bak && cp .env.example .env
    Allows: [ -f .env ] || cp .env.example .env
    """
    if scene.places.of(effect.path) is not PathClass.INSIDE or not _replaces(effect):
        return None
    if scene.world.exists(effect.path) is not True or _is_backed_up(effect, scene):
        return None
    if _only_if_missing(effect, scene):
        return None
    return effect.span if is_kept_nowhere_else(effect.path, scene.world) else None


_EDITORS_TEXT = """
    sed gsed perl ruby ed patch git rmdir Edit MultiEdit edit_file apply_patch str_replace replace
    NotebookEdit edit update_file insert sqlite3 sqlite duckdb dotenv awk gawk vim nvim vi ex emacs
    tar unzip rsync find touch mkdir
"""
_EDITORS = frozenset(_EDITORS_TEXT.split())
"""Programs and tools that change a part of a file, or a file among many."""


def _replaces(effect: Effect) -> bool:
    if effect.act is Act.OVERWRITE or effect.act is Act.LINK:
        return True
    return effect.call.program not in _EDITORS


def _only_if_missing(effect: Effect, scene: RuleContext) -> bool:
    """Say whether the command asks first, and writes only what is not there: `[ -f .env ] || cp …`."""
    name = re.escape(effect.path.rpartition("/")[2])
    asked = rf"-[efsr]\s+[\"']?[\w./$-]*{name}[\"']?\s*\]{{0,2}}"
    return re.search(rf"{asked}\s*\|\||!\s*{asked}", scene.command) is not None


def _is_backed_up(effect: Effect, scene: RuleContext) -> bool:
    """Say whether the file was copied or moved to another name earlier in the command."""
    return any(
        one.path == effect.path and one.call is not effect.call and one.call.program in ("cp", "mv")
        for one in scene.effects
        if one.act in (Act.READ, Act.MOVE)
    )


def moves_precious(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at what would be moved away from a home directory or out of a project.

    Asks: mv ~/Documents /tmp
    Asks: mv .git /tmp/x
    Allows: mv a.txt b.txt
    Allows: mv /tmp/a src/
    Allows: mv ~/Downloads/logo.png assets/
    """
    place = scene.places.of(effect.path)
    if place in (PathClass.GIT, PathClass.PROJECT):
        return effect.span
    if place is PathClass.OUTSIDE:
        return None if _is_fetched(effect, scene) else effect.span
    return effect.span if place is PathClass.INSIDE and _goes_away(effect, scene) else None


def _is_fetched(effect: Effect, scene: RuleContext) -> bool:
    """Say whether something is brought in: from the folder of downloads, or within its own folder.

    A new text that takes the place of an old one beside it is how careful programs write.
    """
    targets = _targets(effect, scene)
    if "/Downloads/" in effect.path:
        return any(scene.places.of(one) in (PathClass.INSIDE, PathClass.TEMP) for one in targets)
    folder = effect.path.rpartition("/")[0]
    small = scene.world.kind(effect.path) != "dir"
    return small and any(one.rpartition("/")[0] == folder for one in targets)


def _goes_away(effect: Effect, scene: RuleContext) -> bool:
    """Say whether a folder of the project, or what no commit holds, ends up among temporary files."""
    targets = [f"{one}/." for one in _targets(effect, scene)]  # the temp folder itself counts, too
    if not any(scene.places.is_temp(one) for one in targets):
        return False
    folder = scene.world.kind(effect.path) == "dir" or has_glob(effect.path)
    return folder or is_kept_nowhere_else(effect.path, scene.world)


def _targets(effect: Effect, scene: RuleContext) -> list[str]:
    """Return where the same call puts what it moves."""
    return [
        one.path
        for one in scene.effects
        if one.call is effect.call and one.act in (Act.WRITE, Act.OVERWRITE)
    ]


RULES = (
    Rule(
        id="disk.write",
        answer=GuardAnswer.DENY,
        says="writes to a device",
        why="writing to a raw device destroys the data on it",
        instead="Write to a file, and let the user write the device.",
        acts=(Act.OVERWRITE, Act.APPEND, Act.WRITE, Act.LINK, Act.MOVE),
        objects_to=writes_device,
    ),
    Rule(
        id="overwrite.system",
        answer=GuardAnswer.ASK,
        says="changes operating system files",
        why="every program on the machine may depend on them",
        instead="Write the file in the project, and let the user install it.",
        acts=(Act.OVERWRITE, Act.APPEND, Act.WRITE, Act.LINK),
        objects_to=writes_system,
    ),
    Rule(
        id="overwrite.precious",
        answer=GuardAnswer.ASK,
        says="overwrites files outside the project or in .git",
        why="their contents are lost",
        instead="Write to a new file inside the project.",
        acts=(Act.OVERWRITE, Act.LINK),
        objects_to=empties_precious,
    ),
    Rule(
        id="overwrite.sources",
        answer=GuardAnswer.ASK,
        says="empties project files",
        why="uncommitted contents are lost",
        instead="Commit first, or use the editor's tools.",
        acts=(Act.OVERWRITE, Act.DELETE, Act.LINK),
        objects_to=empties_sources,
    ),
    Rule(
        id="overwrite.kept",
        answer=GuardAnswer.ASK,
        says="overwrites a file that is not in git",
        why="it is not committed, so its contents cannot be restored",
        instead="Copy it to a new name first, or edit single lines.",
        acts=(Act.OVERWRITE, Act.WRITE, Act.LINK),
        objects_to=replaces_kept,
    ),
    Rule(
        id="move.precious",
        answer=GuardAnswer.ASK,
        says="moves files out of their expected location",
        why="programs that expect them there will fail",
        instead="Copy instead of moving.",
        acts=(Act.MOVE,),
        objects_to=moves_precious,
    ),
)
