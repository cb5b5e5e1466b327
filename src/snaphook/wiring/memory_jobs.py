"""Retaining as a job: where the memory package meets the model layer.

Job("retain")  ->  documents, transcripts  ->  store, views
"""

from collections.abc import Callable, Collection, Sequence
from hashlib import sha256
from pathlib import Path
from time import time

import msgspec

from snaphook.config import Dialect, Environment, load
from snaphook.errors import StoreError
from snaphook.providers.memory.provider import named_project
from snaphook.providers.memory.request import RetainRequest
from snaphook.providers.memory.settings import MemorySettings
from snaphook.scrub import Scrubber, load_salt
from snaphook.stores.memory.dual_write import DualWriteStore
from snaphook.stores.memory.extract.document import DocumentOrigin, Extractor
from snaphook.stores.memory.extract.markdown import from_markdown
from snaphook.stores.memory.open import embedder, open_store
from snaphook.stores.memory.retain import Retained, retain
from snaphook.stores.memory.store import MemoryStore
from snaphook.stores.memory.views import FILES, write_views
from snaphook.stores.outbox.job import Job, RetryLater
from snaphook.stores.outbox.outbox import Outbox
from snaphook.wiring.memory_origin import screen_of

GRAPH_EVERY = 60.0
"""Seconds after which a graph that has not heard everything is told again."""


def retain_job(job: Job, around: Environment) -> None:
    """Do a job of kind ``retain``: idempotent, as one run is one witness."""
    request = msgspec.convert(job.payload, RetainRequest)
    settings = in_force(request.settings, around)
    store = store_of(settings, around)
    try:
        origin = DocumentOrigin(
            project=named_project(request.project, request.settings),
            root=request.project,
            run=request.run,
            session=request.session,
            agent=request.agent,
        )
        paths = [Path(path) for path in request.paths]
        beside = [Path(path) for path in request.transcripts if Path(path).is_file()]
        keep(store, paths, origin, settings, around, beside=beside)
    finally:
        store.close()


def in_force(settings: MemorySettings, around: Environment) -> MemorySettings:
    """Return *settings* as a job carries them, with the addresses of the stores as they are set now.

    The outbox writes down no password, so an address that had one is no longer an address.
    """
    if SCRUBBED not in settings.store + settings.graph:
        return settings
    loaded = load(around, dialects=(Dialect.SNAPHOOK,), sections={"memory": MemorySettings})
    table = loaded.sections.get("memory")
    now = msgspec.convert(dict(table.values), MemorySettings) if table else MemorySettings()
    return msgspec.structs.replace(settings, store=now.store, graph=now.graph)


SCRUBBED = "[REDACTED:"


def store_of(settings: MemorySettings, around: Environment) -> MemoryStore:
    """Return the store that *settings* name, open; a graph that is away is told later."""
    return open_store(
        settings.store,
        graph=settings.graph,
        data_dir=around.data_dir,
        embed=embedder(settings.embedder),
        later=lambda: _tell_later(settings, around),
    )


def _tell_later(settings: MemorySettings, around: Environment) -> None:
    """Have the graph told once more in a minute, whatever becomes of us; one job for each minute."""
    minute = int(time() // GRAPH_EVERY)
    outbox = Outbox.of(around)
    outbox.put(
        "memory-graph",
        {"settings": msgspec.to_builtins(settings)},
        key=f"memory-graph {sha256(settings.graph.encode()).hexdigest()[:8]} {minute}",
        not_before=(minute + 1) * GRAPH_EVERY,
    )
    outbox.close()


def tell_graph(job: Job, around: Environment) -> None:
    """Do a job of kind ``memory-graph``: tell the graph what it has not heard yet."""
    settings = in_force(msgspec.convert(job.payload["settings"], MemorySettings), around)
    store = open_store(settings.store, graph=settings.graph, data_dir=around.data_dir)
    try:
        if isinstance(store, DualWriteStore):
            store.catch_up()
    except StoreError as away:
        raise RetryLater(GRAPH_EVERY, str(away)) from away
    finally:
        store.close()


FORGET_EVERY = 60.0
"""Seconds after which a store is asked again to take the last words of something forgotten off the disk."""


def forget(
    store: MemoryStore, ids: Collection[str], settings: MemorySettings, around: Environment
) -> tuple[int, tuple[str, ...]]:
    """Forget *ids*; return how many there were, and where words of them stand until a job has finished it."""
    count = store.forget(ids)
    remaining = store.remaining()
    if remaining:
        outbox = Outbox.of(around)
        outbox.put(
            "memory-forget",
            {"settings": msgspec.to_builtins(settings)},
            key=f"memory-forget {sha256(settings.store.encode()).hexdigest()[:8]} {time()}",
        )
        outbox.close()
    return count, remaining


def finish_forgetting(job: Job, around: Environment) -> None:
    """Do a job of kind ``memory-forget``: again and again, until nothing remains."""
    settings = msgspec.convert(job.payload["settings"], MemorySettings)
    store = open_store(settings.store, graph=settings.graph, data_dir=around.data_dir)
    try:
        remaining = store.finish_forgetting()
    finally:
        store.close()
    if remaining:
        raise RetryLater(FORGET_EVERY, f"still in {', '.join(remaining)}")


def keep(
    store: MemoryStore,
    paths: list[Path],
    origin: DocumentOrigin,
    settings: MemorySettings,
    around: Environment,
    *,
    revive: bool = False,
    own: bool = False,
    beside: Sequence[Path] = (),
) -> Retained:
    """Retain what *paths* teach, and write the project's views anew where that changed anything.

    *own*: the person says that the documents are their team's; else a checkout that was not approved
    is somebody else's. *beside*: transcripts that tell who wrote what.
    """
    scrubber = Scrubber(salt=load_salt(around.data_dir / "salt"))
    done = retain(
        store,
        paths,
        origin,
        extractor=extractor_of(settings),
        scrubber=scrubber,
        revive=revive,
        screen=screen_of(around, own=own),
        beside=beside,
    )
    if done.stored.added or done.stored.strengthened or done.stored.superseded:
        show(store, origin.project, settings, around, root=origin.root)
    return done


def show(
    store: MemoryStore,
    project: str,
    settings: MemorySettings,
    around: Environment,
    *,
    anew: bool = True,
    root: str = "",
) -> list[Path]:
    """Write the views of *project*; unless *anew*, only where there are some already."""
    folder = views_folder(root or project, settings, around)
    if not anew and not any((folder / name).exists() for name in FILES.values()):
        return []
    also = (root,) if root else ()
    return write_views(store, folder, project=project, now=time(), also=also)


def views_folder(project: str, settings: MemorySettings, around: Environment) -> Path:
    """Return where the views of *project* stand."""
    if settings.views and project:
        return Path(project) / Path(settings.views).expanduser()
    digest = sha256(project.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return around.data_dir / "memory" / f"{Path(project).name or 'everywhere'}-{digest}"


def extractor_of(settings: MemorySettings) -> Extractor:
    """Return the extractor that *settings* name."""
    if settings.extractor != "model":
        return from_markdown
    from snaphook.stores.memory.extract.model import by_model

    return by_model(asker(settings.model))


def asker(model: str) -> Callable[[str], str]:
    """Return a function that has *model* answer a prompt, through the agent's model layer."""
    from snaphook.agent.options import DEFAULT_MODEL

    name = model or DEFAULT_MODEL

    def ask(prompt: str) -> str:
        import asyncio

        return asyncio.run(_answer(name, prompt))

    return ask


async def _answer(name: str, prompt: str) -> str:
    from snaphook.agent.model import ApiMessage, ModelRequest, TextDelta, TextPart
    from snaphook.agent.vendors.models import VendorModels

    models = VendorModels()
    request = ModelRequest(
        model=name, messages=(ApiMessage("user", (TextPart(prompt),)),), max_tokens=4_096
    )
    try:
        parts = [
            chunk.text async for chunk in models.stream(request) if isinstance(chunk, TextDelta)
        ]
    finally:
        await models.close()
    return "".join(parts)
