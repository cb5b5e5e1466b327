"""Deleting a machine or a home directory."""

from __future__ import annotations

from snaphook.providers.guard.facts import Act, Effect, Span
from snaphook.providers.guard.judgement import Answer
from snaphook.providers.guard.places import Place
from snaphook.providers.guard.rules.rule import Rule, Scene


def objects_to(effect: Effect, scene: Scene) -> Span | None:
    """Point at the word that stands for the whole machine or a whole home directory.

    Blocks: rm -rf /
    Blocks: rm -fr ~
    Blocks: cd / && rm -r --force *
    Allows: echo "rm -rf /"
    """
    if effect.recursive and scene.places.of(effect.path) in (Place.ROOT, Place.HOME):
        return effect.span
    return None


RULE = Rule(
    id="delete.root",
    answer=Answer.DENY,
    says="deletes a whole machine or home directory",
    why="nothing brings it back",
    instead="Name the one directory you mean.",
    acts=(Act.DELETE,),
    objects_to=objects_to,
)
