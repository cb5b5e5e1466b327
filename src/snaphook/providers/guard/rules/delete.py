"""Deleting what cannot be brought back."""

from __future__ import annotations

import re

from snaphook.providers.guard.facts import Act, Effect, Span
from snaphook.providers.guard.judgement import Answer
from snaphook.providers.guard.places import FREE, Place, is_build_name
from snaphook.providers.guard.rules.rule import Rule, Scene
from snaphook.providers.guard.text import UNKNOWN, has_glob, is_known

_IRREPLACEABLE = re.compile(
    r"/(?:\.env(?:\.(?!example|sample|template|dist|test)[\w.-]+)?|[^/]+\.(?:pem|key|p12|pfx)|id_\w+)$"
)
"""Files that no commit holds and no build brings back."""

_ADDED = re.compile(
    r"/(?:opt|srv|mnt|media|Applications|Volumes|snap|usr/local/\w+|var/(?:www|log|cache|lib)/[^/]+)/[^/]"
)
_VITAL = re.compile(
    r"/(?:bin|boot|lib\w*|proc|root|sbin|sys|System|nix|c|usr/(?:s?bin|lib\w*)|dev)(?:/|$)"
    r"|/etc/(?:passwd|shadow|group|gshadow|sudoers|fstab|hosts|crypttab|resolv|ssh|pam|ld\.so|systemd|init|rc)"
)
_LISTERS = frozenset({"find", "xargs", "fd", "fdfind", "parallel"})
_CATASTROPHE = (Place.ROOT, Place.HOME)


def deletes_everything(effect: Effect, scene: Scene) -> Span | None:
    """Point at the word that stands for the whole machine or a whole home directory.

    Blocks: rm -rf /
    Blocks: rm -fr ~
    Blocks: cd / && rm -r --force *
    Blocks: X=/ && sudo rm -fr $X*
    Blocks: find / -delete
    Allows: echo "rm -rf /"
    Allows: git commit -m "never rm -rf /"
    """
    if scene.places.of(effect.path) in _CATASTROPHE and (effect.recursive or has_glob(effect.path)):
        return effect.span
    return None


def deletes_system(effect: Effect, scene: Scene) -> Span | None:
    """Point at the part of the operating system that would go.

    Blocks: rm -rf /etc
    Blocks: sudo rm -r /usr/lib
    Blocks: rm /etc/passwd
    Blocks: shred /dev/sda
    Allows: rm -rf /tmp/build
    """
    place = scene.places.of(effect.path)
    if place is Place.DEVICE or (place is Place.SYSTEM and not _is_added(effect)):
        return effect.span
    return None


def deletes_added(effect: Effect, scene: Scene) -> Span | None:
    """Point at what someone added to the operating system.

    Asks: sudo rm -rf /opt/tool
    Asks: sudo rm /etc/nginx/sites-enabled/default
    Asks: rm -f /usr/local/bin/tool
    Allows: ls /opt/tool
    """
    system = scene.places.of(effect.path) is Place.SYSTEM
    return effect.span if system and _is_added(effect) else None


def _is_added(effect: Effect) -> bool:
    """Say whether a path of the system is one that people add to, or one of its lesser files."""
    if _ADDED.match(effect.path) and not has_glob(effect.path):
        return True
    return not effect.recursive and effect.act is Act.DELETE and not _VITAL.match(effect.path)


def deletes_project(effect: Effect, scene: Scene) -> Span | None:
    """Point at the word that stands for the whole project or its history.

    Blocks: rm -rf .
    Blocks: rm -rf *
    Blocks: rm -rf .git
    Blocks: find . -delete
    Allows: rm -rf node_modules dist
    Allows: rm -f .git/index.lock
    """
    place = scene.places.of(effect.path)
    if place is Place.PROJECT and effect.recursive and not effect.call.remote:
        return effect.span
    return effect.span if place is Place.GIT else None


def deletes_outside(effect: Effect, scene: Scene) -> Span | None:
    """Point at what lies outside the project.

    Asks: rm -rf ../other
    Asks: rm -rf ~/Documents
    Asks: rm ~/notes.txt
    Allows: rm -rf /tmp/scratch
    Allows: rm -rf "$(mktemp -d)"
    Allows: docker exec web rm -rf /app/dist
    """
    if effect.call.remote and (not effect.recursive or _is_built(effect.path)):
        return None
    place = scene.places.of(effect.path)
    left = place is Place.TEMP and _leaves_on_foot(effect, scene)
    return effect.span if place is Place.OUTSIDE or left else None


def _leaves_on_foot(effect: Effect, scene: Scene) -> bool:
    """Say whether a relative path climbs out of a project that itself lies among temp files."""
    project, cwd = scene.world.project, effect.call.cwd
    if not scene.places.is_temp(project):
        return False
    words = [arg.text for arg in effect.call.args if arg.span == effect.span]
    relative = any(word and not word.startswith("/") for word in words)
    return relative and (any(".." in word for word in words) or project.startswith(f"{cwd}/"))


def _is_built(path: str) -> bool:
    return any(is_build_name(name) for name in path.split("/"))


def deletes_sources(effect: Effect, scene: Scene) -> Span | None:
    """Point at a directory of the project that no build brings back.

    Asks: rm -rf src
    Asks: rm -r docs/
    Asks: rm -f *
    Allows: rm -rf build/ .pytest_cache
    Asks: find src -type f | xargs rm
    Asks: rm .env
    Allows: rm old.txt
    Allows: rm -rf bin obj
    Allows: rm -rf node_modules package-lock.json
    Allows: find . -name '*.pyc' -delete
    """
    place = scene.places.of(effect.path)
    if place is Place.PROJECT:
        return effect.span
    if place is Place.INSIDE and _IRREPLACEABLE.search(effect.path):
        return effect.span
    if effect.path.endswith("/bin") and any(
        arg.text.endswith("obj") for arg in effect.call.operands
    ):
        return None  # what dotnet builds
    many = effect.recursive or (not is_known(effect.path) and _LISTERS & {*effect.call.via})
    return effect.span if place is Place.INSIDE and many and not _is_lock(effect.path) else None


def _is_lock(path: str) -> bool:
    """Say whether a package manager writes the file anew."""
    return path.endswith(("-lock.json", "-lock.yaml", "yarn.lock", "bun.lockb", ".lock"))


def deletes_unknown(effect: Effect, scene: Scene) -> Span | None:
    """Point at a word that only the run can tell, deleted with all beneath it.

    Asks: rm -rf "$DIR"
    Asks: rm -rf $BASE/*
    Asks: xargs rm -f < list.txt
    Allows: rm -f "$tmpfile"
    Allows: D=$(mktemp -d); rm -rf "$D"
    Allows: rm -rf "$BASE/node_modules"
    """
    if scene.places.of(effect.path) is not Place.UNKNOWN:
        return None
    many = effect.recursive or has_glob(effect.path) or _LISTERS & {*effect.call.via}
    return effect.span if many else None


def deletes_chained(effect: Effect, scene: Scene) -> Span | None:
    """Point at a forced, recursive deletion that follows another command by `&&`.

    Blocks: make release && rm -rf src
    Allows: npm ci && rm -rf dist
    """
    if not (effect.recursive and effect.forced and effect.call.chained):
        return None
    free = scene.places.of(effect.path) in FREE
    return None if free or UNKNOWN in effect.path else effect.span


_INSTEAD = "Name the one file or directory you mean, or move it to a temporary directory first."

RULES = (
    Rule(
        id="delete.everything",
        answer=Answer.DENY,
        says="deletes a whole machine or home directory",
        why="nothing brings it back",
        instead=_INSTEAD,
        acts=(Act.DELETE, Act.MOVE),
        objects_to=deletes_everything,
    ),
    Rule(
        id="delete.system",
        answer=Answer.DENY,
        says="deletes part of the operating system",
        why="the machine may not start again",
        instead="Use the package manager to remove what it installed.",
        acts=(Act.DELETE, Act.MOVE),
        objects_to=deletes_system,
    ),
    Rule(
        id="delete.added",
        answer=Answer.ASK,
        says="deletes what was added to the operating system",
        why="whoever put it there may still need it",
        instead="Use the tool that installed it.",
        acts=(Act.DELETE,),
        objects_to=deletes_added,
    ),
    Rule(
        id="delete.project",
        answer=Answer.DENY,
        says="deletes the whole project or its history",
        why="work that was never pushed is lost",
        instead=_INSTEAD,
        acts=(Act.DELETE,),
        objects_to=deletes_project,
    ),
    Rule(
        id="delete.chained",
        answer=Answer.DENY,
        says="deletes a directory at the end of a chain",
        why="a deletion that hides behind another command is easily overlooked",
        instead="Run the deletion on its own, so that it can be seen.",
        acts=(Act.DELETE,),
        objects_to=deletes_chained,
    ),
    Rule(
        id="delete.outside",
        answer=Answer.ASK,
        says="deletes files outside the project",
        why="they belong to someone or something else",
        instead=_INSTEAD,
        acts=(Act.DELETE,),
        objects_to=deletes_outside,
    ),
    Rule(
        id="delete.sources",
        answer=Answer.ASK,
        says="deletes a directory of the project",
        why="files that are not committed are lost",
        instead="Commit first, or use 'git rm -r' so that it can be undone.",
        acts=(Act.DELETE,),
        objects_to=deletes_sources,
    ),
    Rule(
        id="delete.unknown",
        answer=Answer.ASK,
        says="deletes a directory that only the run can name",
        why="if the variable is empty or wrong, something else goes",
        instead="Spell the path out, or check it in a command of its own first.",
        acts=(Act.DELETE,),
        objects_to=deletes_unknown,
    ),
)
