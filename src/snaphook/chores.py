"""Who does which job of the outbox.

kind  ->  handler

A handler is imported when there is a job for it, and no sooner.
"""

from collections.abc import Mapping
from importlib import import_module

from snaphook.stores.outbox.job import Handler

CHORES: Mapping[str, str] = {
    "alert": "snaphook.notify.deliver:alert",
    "archive": "snaphook.providers.essentials.chores:archive",
    "attach": "snaphook.providers.essentials.chores:attach",
    "beat": "snaphook.providers.essentials.chores:beat",
    "commit": "snaphook.providers.essentials.commit:commit",
    "deliver": "snaphook.notify.deliver:deliver",
    "finish": "snaphook.providers.essentials.finish:finish",
    "memory-graph": "snaphook.remembering:tell_graph",
    "note": "snaphook.providers.essentials.chores:note",
    "notify": "snaphook.notify.deliver:fan_out",
    "retain": "snaphook.remembering:retain_job",
}
"""The handler of each kind: ``module:name`` of a function that takes a Job and Surroundings."""


def handler(kind: str, chores: Mapping[str, str] = CHORES) -> Handler:
    """Return who does *kind*; a ``LookupError`` where nobody does."""
    module, _, name = chores[kind].partition(":")
    found: Handler = getattr(import_module(module), name)
    return found
