"""Deleting what cannot be brought back."""

from __future__ import annotations

import re

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.path_classes import FREE, PathClass
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Act, Effect, Span
from snaphook.shell.text import UNKNOWN, has_glob, is_known
from snaphook.shell.worth import is_build_name, is_kept_nowhere_else, matched

_ADDED = re.compile(
    r"/(?:opt|srv|Applications|snap|usr/local/\w+|var/(?:www|log|cache|lib)/[^/]+)/[^/]"
)
_VITAL = re.compile(
    r"/(?:bin|boot|lib\w*|proc|root|sbin|sys|System|nix|c|usr/(?:s?bin|lib\w*)|dev)(?:/|$)"
    r"|/etc/(?:passwd|shadow|group|gshadow|sudoers|fstab|hosts|crypttab|resolv|ssh|pam|ld\.so|systemd|init|rc)"
)
_LISTERS = frozenset({"find", "xargs", "fd", "fdfind", "parallel"})
_WALKERS_TEXT = """
    python python2 python3 node nodejs deno bun tsx ts-node perl ruby php lua osascript julia elixir
"""
_WALKERS = frozenset(_WALKERS_TEXT.split())
"""Programs whose globs stand for what their code lists, at any depth."""
_CATASTROPHE = (PathClass.ROOT, PathClass.HOME)


def deletes_everything(effect: Effect, scene: RuleContext) -> Span | None:
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


def deletes_system(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at the part of the operating system that would go.

    Blocks: rm -rf /etc
    Blocks: sudo rm -r /usr/lib
    Blocks: rm /etc/passwd
    Blocks: shred /dev/sda
    Allows: rm -rf /tmp/build
    """
    place = scene.places.of(effect.path)
    if place is PathClass.DEVICE or (place is PathClass.SYSTEM and not _is_added(effect)):
        return effect.span
    return None


def deletes_added(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at what someone added to the operating system.

    Asks: sudo rm -rf /opt/tool
    Asks: sudo rm /etc/nginx/sites-enabled/default
    Asks: rm -f /usr/local/bin/tool
    Allows: ls /opt/tool
    """
    system = scene.places.of(effect.path) is PathClass.SYSTEM
    return effect.span if system and _is_added(effect) else None


def _is_added(effect: Effect) -> bool:
    """Say whether a path of the system is one that people add to, or one of its lesser files."""
    if _ADDED.match(effect.path) and not has_glob(effect.path):
        return True
    return not effect.recursive and effect.act is Act.DELETE and not _VITAL.match(effect.path)


def deletes_project(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at the word that stands for the whole project or its history.

    Blocks: rm -rf .
    Blocks: rm -rf *
    Blocks: rm -rf .git
    Blocks: find . -delete
    Allows: rm -rf node_modules dist
    Allows: rm -f .git/index.lock
    """
    place = scene.places.of(effect.path)
    if place is PathClass.PROJECT and effect.recursive and not effect.call.remote:
        return effect.span
    return effect.span if place is PathClass.GIT else None


def deletes_outside(effect: Effect, scene: RuleContext) -> Span | None:
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
    if is_nothing(effect, scene):
        return None
    place = scene.places.of(effect.path)
    left = place is PathClass.TEMP and _leaves_on_foot(effect, scene)
    return effect.span if place is PathClass.OUTSIDE or left else None


def _leaves_on_foot(effect: Effect, scene: RuleContext) -> bool:
    """Say whether a relative path climbs out of a project that itself lies among temp files."""
    project, cwd = scene.world.project, effect.call.cwd
    if not scene.places.is_temp(project):
        return False
    words = [arg.text for arg in effect.call.args if arg.span == effect.span]
    relative = any(word and not word.startswith("/") for word in words)
    return relative and (any(".." in word for word in words) or project.startswith(f"{cwd}/"))


def _is_built(path: str) -> bool:
    return any(is_build_name(name) for name in path.split("/"))


def deletes_sources(effect: Effect, scene: RuleContext) -> Span | None:
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
    if place is PathClass.PROJECT:
        return effect.span
    if place is not PathClass.INSIDE or is_nothing(effect, scene):
        return None
    if _takes_kept(effect, scene):
        return effect.span
    if effect.path.endswith("/bin") and any(
        arg.text.endswith("obj") for arg in effect.call.operands
    ):
        return None  # what dotnet builds
    return effect.span if _takes_many(effect, scene) and not _is_lock(effect.path) else None


def _takes_kept(effect: Effect, scene: RuleContext) -> bool:
    """Say whether a file goes that people keep and no commit holds: `.env`, a database."""
    paths = (matched(effect.path, scene.world) or []) if has_glob(effect.path) else [effect.path]
    return any(is_kept_nowhere_else(path, scene.world) for path in paths[:_MOST_MATCHED])


def _takes_many(effect: Effect, scene: RuleContext) -> bool:
    """Say whether a folder goes, or several files at once."""
    if has_glob(effect.path) and not effect.recursive:
        return _matches_sources(effect, scene)
    if not effect.recursive:
        return not is_known(effect.path) and bool(_LISTERS & {*effect.call.via})
    return scene.world.kind(effect.path) != "file"


def _matches_sources(effect: Effect, scene: RuleContext) -> bool:
    """Say whether a glob takes several files that no build makes, by what is there or by its ending."""
    if _LISTERS & {*effect.call.via} or effect.call.program in _WALKERS:
        return True
    found = matched(effect.path, scene.world)
    if found is None:
        return _SOURCE_GLOB.search(effect.path) is not None
    lasting = [path for path in found[:_MOST_MATCHED] if scene.places.of(path) is PathClass.INSIDE]
    return len(lasting) > 1


_MOST_MATCHED = 64
_SOURCE_GLOB = re.compile(
    r"/[^/.]*(?:\.(?:py|pyi|js|jsx|ts|tsx|go|rs|c|cc|cpp|h|hpp|java|kt|swift|rb|php|ex|exs|cs|scala|vue|svelte|sql|md))?$"
)


def is_nothing(effect: Effect, scene: RuleContext) -> bool:
    """Say whether there is nothing to lose: no such path now, and nothing moved there before.

    A path that the command itself makes holds what the command put there; what it moves or links
    there was somewhere else before.
    """
    path = effect.path
    if UNKNOWN in path or effect.call.remote:
        return False
    if has_glob(path) and ((_LISTERS | _WALKERS) & {effect.call.program, *effect.call.via}):
        return False  # the glob stands for what is found at any depth
    if has_glob(path):
        found = matched(path, scene.world)
        folder = path.rpartition("/")[0]
        missing = found == [] or (
            found is None and is_known(folder) and scene.world.exists(folder) is False
        )
    else:
        missing = scene.world.exists(path) is False
    return missing and not any(_brings(one, path) for one in scene.effects)


def _brings(effect: Effect, path: str) -> bool:
    """Say whether *effect* puts something at *path*, or above it, that was elsewhere before."""
    if effect.call.program not in _BRINGERS or effect.act not in (
        Act.WRITE,
        Act.LINK,
        Act.OVERWRITE,
    ):
        return False
    return (
        path == effect.path
        or path.startswith(f"{effect.path}/")
        or effect.path.startswith(f"{path}/")
    )


_BRINGERS = frozenset(
    {"mv", "ln", "rsync", "mount", "python", "python3", "node", "perl", "ruby", "rename"}
)


def _is_lock(path: str) -> bool:
    """Say whether a package manager writes the file anew."""
    return path.endswith(("-lock.json", "-lock.yaml", "yarn.lock", "bun.lockb", ".lock"))


def deletes_unknown(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at a word that only the run can tell, deleted with all beneath it.

    Asks: rm -rf "$DIR"
    Asks: rm -rf $BASE/*
    Asks: xargs rm -f < list.txt
    Allows: rm -f "$tmpfile"
    Allows: D=$(mktemp -d); rm -rf "$D"
    Allows: rm -rf "$BASE/node_modules"
    """
    if scene.places.of(effect.path) is not PathClass.UNKNOWN:
        return None
    many = effect.recursive or has_glob(effect.path) or _LISTERS & {*effect.call.via}
    return effect.span if many else None


def deletes_chained(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at a forced, recursive deletion that follows another command by `&&`.

    What may go by itself may go here, and what only follows a `cd` is judged as if it stood alone.

    Blocks: make release && rm -rf src
    Allows: npm ci && rm -rf dist
    Allows: cd web && rm -rf node_modules package-lock.json && npm install
    """
    if not (effect.recursive and effect.forced and effect.call.chained):
        return None
    free = scene.places.of(effect.path) in FREE or is_nothing(effect, scene)
    alone = scene.world.kind(effect.path) == "file" or _is_lock(effect.path)
    return None if free or alone or UNKNOWN in effect.path else effect.span


_INSTEAD = "Name the exact file or directory, or let the user delete it."

RULES = (
    Rule(
        id="delete.everything",
        answer=GuardAnswer.DENY,
        says="deletes a whole machine or home directory",
        why="it cannot be restored",
        instead=_INSTEAD,
        acts=(Act.DELETE, Act.MOVE),
        objects_to=deletes_everything,
    ),
    Rule(
        id="delete.system",
        answer=GuardAnswer.DENY,
        says="deletes part of the operating system",
        why="the machine may not boot again",
        instead="Use the package manager to remove packages.",
        acts=(Act.DELETE, Act.MOVE),
        objects_to=deletes_system,
    ),
    Rule(
        id="delete.added",
        answer=GuardAnswer.ASK,
        says="deletes software or data in system directories",
        why="it may still be needed",
        instead="Use the tool that installed it.",
        acts=(Act.DELETE,),
        objects_to=deletes_added,
    ),
    Rule(
        id="delete.project",
        answer=GuardAnswer.DENY,
        says="deletes the whole project or its history",
        why="unpushed work is lost",
        instead=_INSTEAD,
        acts=(Act.DELETE,),
        objects_to=deletes_project,
    ),
    Rule(
        id="delete.chained",
        answer=GuardAnswer.DENY,
        says="deletes a directory at the end of a command chain",
        why="a deletion after another command is easily overlooked",
        instead="Run the deletion as a separate command.",
        acts=(Act.DELETE,),
        objects_to=deletes_chained,
    ),
    Rule(
        id="delete.outside",
        answer=GuardAnswer.ASK,
        says="deletes files outside the project",
        why="they do not belong to this project",
        instead=_INSTEAD,
        acts=(Act.DELETE,),
        objects_to=deletes_outside,
    ),
    Rule(
        id="delete.sources",
        answer=GuardAnswer.ASK,
        says="deletes a directory of the project",
        why="uncommitted files are lost",
        instead="Commit first, or use 'git rm -r', which can be undone.",
        acts=(Act.DELETE,),
        objects_to=deletes_sources,
    ),
    Rule(
        id="delete.unknown",
        answer=GuardAnswer.ASK,
        says="deletes a directory whose path is known only at run time",
        why="if the variable is empty or wrong, another directory is deleted",
        instead="Write the path literally, or check the variable in a separate command first.",
        acts=(Act.DELETE,),
        objects_to=deletes_unknown,
    ),
)
