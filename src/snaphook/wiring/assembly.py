"""The one place that knows every package.

Environment  ->  Settings  ->  providers  ->  Engine

Providers are asked in this order: the guard, those that a table of the settings switches on
(``SECTION_SPECS``), those of ``[providers]`` as the files list them, the command hooks, what the
caller adds in code, and last who approves automatically. A package that is not asked for is not imported.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from snaphook.canon import AnyProvider, HookContext, SessionHooks
from snaphook.config import Dialect, Environment, ProviderEntry, Settings, load
from snaphook.config.caller import caller_environment as caller_environment
from snaphook.config.caller import environment as environment
from snaphook.engine import Engine, Observer
from snaphook.errors import SnaphookError
from snaphook.providers.provenance.settings import ProvenanceSettings
from snaphook.stores.eventlog.settings import LogSettings
from snaphook.wiring.approval import approval_of
from snaphook.wiring.configured import configured
from snaphook.wiring.guards import guard_of as guard_of
from snaphook.wiring.guards import guard_settings as guard_settings
from snaphook.wiring.guards import snapshot_finalizer
from snaphook.wiring.sandbox import feedback_of
from snaphook.wiring.sections import SECTION_SPECS, SECTIONS, imported

if TYPE_CHECKING:
    from snaphook.config.commandline import CallReader
    from snaphook.providers.guard.memory import Sessions
    from snaphook.providers.guard.overrides import Overrides
    from snaphook.shell.understood import Understood
    from snaphook.stores.eventlog.trail.trail import Trail

    from .background_hooks import BackgroundHooks

Table = TypeVar("Table", bound=Struct)

NATIVE = (Dialect.SNAPHOOK,)
"""What counts inside a host: it runs the hooks of its own settings files itself."""
EVERY = tuple(Dialect)
"""What counts where nobody else runs them: the reference agent, ``snaphook fire``."""


def read_settings(
    around: Environment | None = None, *, dialects: Iterable[Dialect] = EVERY
) -> Settings:
    """Return the settings in force for *around*."""
    return load(around, dialects=dialects, sections=SECTIONS)


def trail(settings: Settings, around: Environment, *, always: bool = False) -> "Trail | None":
    """Return the record as ``[audit]`` wants it looked after; ``None`` where nobody asks.

    *always*: as the defaults say, even then.
    """
    if "audit" not in settings.sections and not always:
        return None
    from snaphook.stores.eventlog.trail.settings import AuditSettings
    from snaphook.stores.eventlog.trail.trail import Trail

    audit, log = section(settings, "audit", AuditSettings), log_settings(settings)
    if not audit.enabled and not always:
        return None
    return Trail(
        log.place(around.data_dir),
        log,
        audit,
        key_folder=around.data_dir / "audit",
        tenant=around.tenant,
        env=around.env,
    )


def tenanted(settings: Settings, around: Environment) -> tuple[Settings, Environment]:
    """Return what holds for the tenant in whose name we act in *around*; the same where none is.

    Raises ``ConfigError`` where that cannot be told: nobody acts in an unknown name.
    """
    named = around.env.get("SNAPHOOK_TENANT", "")
    if "tenants" not in settings.sections and not named:
        return settings, around
    from snaphook.providers.tenants.choose import choose as choose_tenant
    from snaphook.providers.tenants.choose import lay_over

    table = settings.sections.get("tenants")
    name = choose_tenant(
        table.values if table else {},
        named=named,
        project=settings.root or str(around.cwd),
        home=around.home,
    )
    if not name:
        return settings, around
    return lay_over(settings, name), replace(around, tenant=name)


def tenant_hooks(
    tenant: str, session_id: str | None = None, *, around: Environment | None = None
) -> SessionHooks:
    """Return the hooks of *tenant*, for one session: its rules, its budget, its state.

    Whatever the settings ask for, laid over with the tenant's own tables; for agents that take
    hooks by the session.
    """
    from snaphook.engine import CompositeHooksProvider

    around = around or Environment.here()
    around = replace(around, env={**around.env, "SNAPHOOK_TENANT": tenant})
    settings, own = tenanted(read_settings(around), around)
    return CompositeHooksProvider(choose(settings, own)).as_session_hooks(session_id)


def build_engine(
    around: Environment | None = None,
    *,
    settings: Settings | None = None,
    dialects: Iterable[Dialect] = EVERY,
    providers: Sequence[AnyProvider] = (),
    observers: Sequence[Observer] = (),
    on_result: Callable[[Any], None] | None = None,
    overrides: "Overrides | None" = None,
) -> Engine:
    """Return the engine that the settings describe, with *providers* asked after theirs.

    *on_result* sees the record of every command hook that ran; *overrides* knows what a person allowed.
    """
    around = around or Environment.here()
    if settings is None:
        settings, around = tenanted(read_settings(around, dialects=dialects), around)
    chosen = [*choose(settings, around, on_result=on_result, overrides=overrides), *providers]
    # Who approves is asked last: with strategy "first" its allow would keep the others from speaking.
    chosen.sort(key=lambda one: getattr(one, "name", "") == "approval")
    return Engine(
        chosen,
        strategy=settings.strategy,
        stop_block_cap=settings.stop_block_cap,
        observers=observers,
    )


def choose(
    settings: Settings,
    around: Environment,
    *,
    on_result: Callable[[Any], None] | None = None,
    overrides: "Overrides | None" = None,
) -> list[AnyProvider]:
    """Return the providers that *settings* ask for, in the order in which they are asked."""
    chosen: list[AnyProvider] = []
    if not any(entry.name == "guard" for entry in settings.providers):
        chosen.append(guard_of(settings, around, overrides))
    if settings.lapsed:
        from snaphook.providers.commands.lapsed import LapsedApproval

        from .lapse_notices import LapseNotices

        notices = LapseNotices(log_settings(settings), around.data_dir)
        chosen.append(LapsedApproval(settings.lapsed, is_first=notices.is_first))
    chosen += snapshot_finalizer(settings, around)
    chosen += _provenance(settings, around, overrides)
    chosen += _switched_on(settings, around)
    chosen += [
        _provider(entry, settings, around, overrides)
        for entry in settings.providers
        if entry.enabled
    ]
    chosen += feedback_of(chosen, around)
    if settings.hooks:
        from snaphook.providers.commands import CommandHooks

        chosen.append(
            CommandHooks(
                settings.hooks,
                parallel=settings.parallel,
                environ=environment,
                on_result=on_result,
                watch=_watch(settings, around),
                reader=_reader(settings, around) if _conditional(settings) else None,
            )
        )
    chosen += approval_of(settings, around, chosen)
    return chosen


def _watch(settings: Settings, around: Environment) -> "BackgroundHooks | None":
    """Return who starts the hooks nobody waits for, where there are any."""
    if not any(hook.background for hook in settings.hooks):
        return None
    from .background_hooks import BackgroundHooks

    return BackgroundHooks(log_settings(settings), around.data_dir)


def _conditional(settings: Settings) -> bool:
    return any(hook.condition for hook in settings.hooks)


def judges(
    settings: Settings, around: Environment, sessions: "Sessions | None" = None
) -> Iterator[AnyProvider]:
    """Yield those of the providers that judge a call and do nothing else, for trying rules out.

    What sessions have done is kept in *sessions*, not on disk.
    """
    if not any(entry.name == "guard" for entry in settings.providers):
        yield guard_of(settings, around, sessions=sessions)
    for entry in settings.providers:
        if entry.enabled and entry.use in ("default", "guard"):
            yield _provider(entry, settings, around)


def section(settings: Settings, name: str, kind: type[Table]) -> Table:
    """Return what the table *name* says, defaults where it says nothing."""
    table = settings.sections.get(name)
    return msgspec.convert(dict(table.values), kind) if table else kind()


def log_settings(settings: Settings) -> LogSettings:
    """Return what ``[log]`` says."""
    return section(settings, "log", LogSettings)


def _switched_on(settings: Settings, around: Environment) -> Iterator[AnyProvider]:
    """Yield the provider of each table that is there and does not say ``enabled = false``."""
    for name, spec in SECTION_SPECS.items():
        if not spec.provider or name not in settings.sections:
            continue
        table = section(settings, name, imported(spec.settings))
        if getattr(table, "enabled", True):
            more = {"reader": _reader(settings, around)} if spec.reads_calls else {}
            yield imported(spec.provider)(table, around, **more)


def _reader(settings: Settings, around: Environment) -> "CallReader":
    """Return who says what a call does; a guard that is switched off reads, and objects to nothing."""
    from snaphook.providers.guard.reader import GuardReader

    off = any(entry.name == "guard" and not entry.enabled for entry in settings.providers)
    return GuardReader(lambda: guard_of(settings, around, confines=False), objects=not off)


def _provenance(
    settings: Settings, around: Environment, overrides: "Overrides | None"
) -> Iterator[AnyProvider]:
    """Yield who knows where values came from; on unless the settings say otherwise."""
    table = section(settings, "provenance", ProvenanceSettings)
    if not table.enabled:
        return
    from snaphook.providers.provenance.provider import ProvenanceProvider
    from snaphook.stores.provenance.store import ProvenanceStore

    def understood(command: str, context: HookContext) -> "Understood":
        from snaphook.shell.known_programs import PROGRAMS
        from snaphook.shell.live import LiveWorld
        from snaphook.shell.understood import understand

        where = context.cwd or context.team_root or settings.root
        world = LiveWorld(where, env=environment(), project=context.team_root or settings.root)
        return understand(command, world, PROGRAMS)

    yield ProvenanceProvider(
        table,
        store=ProvenanceStore(around.data_dir / "provenance"),
        shell=understood,
        overrides=overrides,
    )


def unusable(
    settings: Settings, around: Environment
) -> Iterator[tuple[ProviderEntry, SnaphookError]]:
    """Yield each provider that runs here and cannot be created with its options, and why.

    In an engine such a provider denies every call, so 'snaphook check' has to find it first.
    """
    for entry in settings.providers:
        if entry.enabled:
            try:
                _provider(entry, settings, around)
            except SnaphookError as error:
                yield entry, error


def _provider(
    entry: ProviderEntry,
    settings: Settings,
    around: Environment,
    overrides: "Overrides | None" = None,
) -> AnyProvider:
    provider: AnyProvider
    match entry.use:
        case "guard":
            provider = guard_of(settings, around, overrides)
        case _:
            provider = configured(entry, settings, around)
    for name, value in (("stance", entry.stance), ("timeout", entry.timeout)):
        if value is not None:
            setattr(provider, name, value)
    return provider
