"""Changing who may do what with files."""

from __future__ import annotations

import re

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.path_classes import FREE, PathClass
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Act, Effect, Span

_OPEN = re.compile(
    r"[0-7]?[0-7][0-7][2367]|(?:[ugo]*[oa][ugo]*|)[+=][rxXst]*w[rwxXst]*|[oa]\+.*w.*"
)
_SETUID = re.compile(r"[4567][0-7]{3}|[ugoa]*\+[rwx]*s[rwxst]*|u=[rwx]*s.*")


def opens_to_all(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at files that anyone could then write.

    Asks: chmod 777 script.sh
    Asks: chmod -R a+rwx .
    Allows: chmod +x script.sh
    Allows: chmod 644 README.md
    Allows: chmod -R 777 /tmp/scratch
    """
    if scene.places.of(effect.path) is PathClass.TEMP or not _OPEN.fullmatch(effect.detail):
        return None
    return effect.span


def grants_root(effect: Effect, _scene: RuleContext) -> Span | None:
    """Point at a file that would run as its owner, whoever starts it.

    Asks: chmod u+s /usr/bin/find
    Asks: chmod 4755 tool
    Allows: chmod 0755 tool
    """
    return effect.span if _SETUID.fullmatch(effect.detail) else None


def changes_many(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at a tree outside the project, or the whole of it, whose rights would change.

    Blocks: chmod -R 000 /
    Blocks: chown -R me /etc
    Blocks: chmod -R 755 ~
    Allows: chmod -R u+w build
    """
    place = scene.places.of(effect.path)
    if place in (PathClass.ROOT, PathClass.HOME) or (
        place is PathClass.SYSTEM and effect.recursive
    ):
        return effect.span
    return None


def changes_precious(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at what lies outside the project, or a tree inside it.

    Asks: chmod 600 /etc/passwd
    Asks: sudo chown root ~/file
    Asks: chown -R nobody src
    Allows: chmod 600 ~/.ssh/id_ed25519
    Allows: chmod 755 deploy.sh
    """
    place = scene.places.of(effect.path)
    if place in FREE:
        return None
    if place is PathClass.SYSTEM or place is PathClass.DEVICE:
        return effect.span
    owns = effect.act is Act.OWN
    if place is PathClass.OUTSIDE:
        return effect.span if owns or effect.recursive else None
    return (
        effect.span
        if effect.recursive and (owns or place in (PathClass.PROJECT, PathClass.UNKNOWN))
        else None
    )


def locks_out(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at files that nobody could read any more.

    Asks: chmod 000 important
    Asks: chmod -R a-r src
    Allows: chmod go-rwx key.pem
    Allows: chmod 000 /tmp/scratch
    """
    locked = re.fullmatch(r"0{3,4}|(?:a|ugo|)-[wxX]*r[rwxX]*|a=", effect.detail)
    return effect.span if locked and scene.places.of(effect.path) not in FREE else None


_BOTH = (Act.PERMIT, Act.OWN)

RULES = (
    Rule(
        id="permissions.tree",
        answer=GuardAnswer.DENY,
        says="changes permissions of the whole machine, system or home directory",
        why="programs and keys stop working, and the old permissions are lost",
        instead="Change only the file you need.",
        acts=_BOTH,
        objects_to=changes_many,
    ),
    Rule(
        id="permissions.open",
        answer=GuardAnswer.ASK,
        says="makes files world-writable",
        why="any user or program can then change them",
        instead="Grant access to one user: 'chmod u+rwx'.",
        acts=(Act.PERMIT,),
        objects_to=opens_to_all,
    ),
    Rule(
        id="permissions.setuid",
        answer=GuardAnswer.ASK,
        says="sets the setuid or setgid bit",
        why="anyone who runs it gets the owner's permissions",
        instead="Use sudo for the one command that needs it.",
        acts=(Act.PERMIT,),
        objects_to=grants_root,
    ),
    Rule(
        id="permissions.locked",
        answer=GuardAnswer.ASK,
        says="removes read permission",
        why="programs that need the files stop working",
        instead="Remove access for others only: 'chmod go-rwx'.",
        acts=(Act.PERMIT,),
        objects_to=locks_out,
    ),
    Rule(
        id="permissions.precious",
        answer=GuardAnswer.ASK,
        says="changes permissions outside the project or recursively",
        why="the old permissions are lost",
        instead="Change only the file you need.",
        acts=_BOTH,
        objects_to=changes_precious,
    ),
)
