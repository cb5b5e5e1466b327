"""Losing files without deleting them: emptied, replaced, moved away."""

from __future__ import annotations

from snaphook.providers.guard.facts import Act, Effect, Span
from snaphook.providers.guard.judgement import Answer
from snaphook.providers.guard.places import Place
from snaphook.providers.guard.rules.rule import Rule, Scene

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


def writes_device(effect: Effect, scene: Scene) -> Span | None:
    """Point at the disk or device that would be written to.

    Blocks: dd if=/dev/zero of=/dev/sda
    Blocks: cat image.iso > /dev/nvme0n1
    Blocks: cp image.iso /dev/sdb
    Blocks: tee /dev/sda < x
    Allows: dd if=/dev/zero of=disk.img bs=1M count=10
    Allows: make > /dev/null 2>&1
    """
    path = effect.path
    if scene.places.of(path) is not Place.DEVICE or path.startswith(_SAFE_DEVICES):
        return None
    return effect.span


def writes_system(effect: Effect, scene: Scene) -> Span | None:
    """Point at the part of the operating system that would be written.

    Asks: echo "1.2.3.4 x" | sudo tee -a /etc/hosts
    Asks: echo x > /etc/passwd
    Asks: cp app /usr/local/bin/app
    Allows: cat /etc/hosts
    Allows: echo x > notes.txt
    """
    place = scene.places.of(effect.path)
    return effect.span if place in (Place.SYSTEM, Place.ROOT) else None


def empties_precious(effect: Effect, scene: Scene) -> Span | None:
    """Point at a file outside the project, or in its history, that would be emptied or replaced.

    Asks: > ~/notes.txt
    Asks: truncate -s 0 ~/notes.txt
    Asks: cp /dev/null .git/config
    Asks: ln -sf /dev/null ~/.bash_history
    Allows: echo x > /tmp/x
    Allows: echo x > out.txt
    """
    place = scene.places.of(effect.path)
    if place is Place.OUTSIDE:
        lost = effect.forced or effect.act is Act.LINK or scene.world.kind(effect.path) == "file"
        return effect.span if lost else None
    return effect.span if place in (Place.HOME, Place.GIT) else None


def empties_sources(effect: Effect, scene: Scene) -> Span | None:
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
    return effect.span if scene.places.of(effect.path) is Place.INSIDE else None


def moves_precious(effect: Effect, scene: Scene) -> Span | None:
    """Point at what would be moved away from a home directory or out of a project.

    Asks: mv ~/Documents /tmp
    Asks: mv .git /tmp/x
    Allows: mv a.txt b.txt
    Allows: mv /tmp/a src/
    """
    place = scene.places.of(effect.path)
    return effect.span if place in (Place.OUTSIDE, Place.GIT, Place.PROJECT) else None


RULES = (
    Rule(
        id="disk.write",
        answer=Answer.DENY,
        says="writes to a device",
        why="a disk that is written raw loses everything on it",
        instead="Write to a file, and let a person flash the device.",
        acts=(Act.OVERWRITE, Act.APPEND, Act.WRITE, Act.LINK, Act.MOVE),
        objects_to=writes_device,
    ),
    Rule(
        id="overwrite.system",
        answer=Answer.ASK,
        says="changes files of the operating system",
        why="every program on the machine may depend on them",
        instead="Put the file in the project, and let a person install it.",
        acts=(Act.OVERWRITE, Act.APPEND, Act.WRITE, Act.LINK),
        objects_to=writes_system,
    ),
    Rule(
        id="overwrite.precious",
        answer=Answer.ASK,
        says="replaces files outside the project or in its history",
        why="what was in them is gone",
        instead="Write to a new name inside the project.",
        acts=(Act.OVERWRITE, Act.LINK),
        objects_to=empties_precious,
    ),
    Rule(
        id="overwrite.sources",
        answer=Answer.ASK,
        says="empties files of the project",
        why="what is not committed is gone",
        instead="Commit first, or use the editor's tools.",
        acts=(Act.OVERWRITE, Act.DELETE, Act.LINK),
        objects_to=empties_sources,
    ),
    Rule(
        id="move.precious",
        answer=Answer.ASK,
        says="moves files away from where they belong",
        why="whatever looks for them there will not find them",
        instead="Copy instead of moving.",
        acts=(Act.MOVE,),
        objects_to=moves_precious,
    ),
)
