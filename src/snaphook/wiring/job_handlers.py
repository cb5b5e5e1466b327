"""Who does which job of the outbox.

kind  ->  handler

A handler is imported when there is a job for it, and no sooner.
"""

from collections.abc import Mapping
from importlib import import_module

from snaphook.stores.outbox.job import Handler

JOB_HANDLERS: Mapping[str, str] = {
    "alert": "snaphook.notify.deliver:alert",
    "archive": "snaphook.providers.essentials.jobs:archive",
    "attach": "snaphook.providers.essentials.jobs:attach",
    "beat": "snaphook.providers.essentials.jobs:beat",
    "commit": "snaphook.providers.essentials.commit:commit",
    "deliver": "snaphook.notify.deliver:deliver",
    "finish": "snaphook.providers.essentials.finish:finish",
    "memory-forget": "snaphook.wiring.memory_jobs:finish_forgetting",
    "memory-graph": "snaphook.wiring.memory_jobs:tell_graph",
    "note": "snaphook.providers.essentials.jobs:note",
    "notify": "snaphook.notify.deliver:fan_out",
    "retain": "snaphook.wiring.memory_jobs:retain_job",
}
"""The handler of each kind: ``module:name`` of a function that takes a Job and Environment."""


def handler(kind: str, handlers: Mapping[str, str] = JOB_HANDLERS) -> Handler:
    """Return who does *kind*; a ``LookupError`` where nobody does."""
    module, _, name = handlers[kind].partition(":")
    found: Handler = getattr(import_module(module), name)
    return found
