"""The one place that knows every room.

Surroundings  ->  Settings  ->  providers  ->  Engine

Providers are asked in this order: the guard, those of ``[providers]`` as the files list them, the
command hooks, and last what the caller adds in code. A room that is not asked for is not imported.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from typing import Any

import msgspec
from msgspec import Struct

from snaphook.canon import AnyProvider, HookContext, PreToolUse
from snaphook.config import Dialect, ProviderEntry, Settings, Surroundings, load
from snaphook.config.plugins import plugins, resolve
from snaphook.engine import Engine, Observer
from snaphook.errors import ConfigError, SnaphookError
from snaphook.providers.guard.settings import GuardSettings
from snaphook.stores.eventlog.settings import LogSettings

NATIVE = (Dialect.SNAPHOOK,)
"""What counts inside a host: it runs the hooks of its own settings files itself."""
EVERY = tuple(Dialect)
"""What counts where nobody else runs them: the reference agent, ``snaphook fire``."""

BUILT_IN: Mapping[str, str] = {
    "default": "snaphook.providers.policies:DefaultHooksProvider",
    "gates": "snaphook.providers.gates:GatesProvider",
    "guard": "snaphook.providers.guard.provider:GuardProvider",
}
"""The providers that ``use = "…"`` may name without installing anything."""

SECTIONS: Mapping[str, type[Struct]] = {"guard": GuardSettings, "log": LogSettings}
"""The tables of ``snaphook.toml`` that rooms above the settings understand."""


def every_section() -> Mapping[str, type[Struct]]:
    """Return those, and the tables of rooms that answering a hook does not need."""
    from snaphook.agent.settings import AgentSettings
    from snaphook.builder.settings import BuilderSettings

    return {**SECTIONS, "agent": AgentSettings, "builder": BuilderSettings}


caller_environment: ContextVar[Mapping[str, str]] = ContextVar("caller_environment")
"""Whose environment hooks inherit: the daemon answers for many callers. Ours where none is set."""


def environment() -> Mapping[str, str]:
    """Return the environment of whoever is being answered."""
    return caller_environment.get(os.environ)


def read_settings(
    around: Surroundings | None = None, *, dialects: Iterable[Dialect] = EVERY
) -> Settings:
    """Return the settings in force for *around*."""
    return load(around, dialects=dialects, sections=SECTIONS)


def build_engine(
    around: Surroundings | None = None,
    *,
    settings: Settings | None = None,
    dialects: Iterable[Dialect] = EVERY,
    providers: Sequence[AnyProvider] = (),
    observers: Sequence[Observer] = (),
    on_result: Callable[[Any], None] | None = None,
) -> Engine:
    """Return the engine that the settings describe, with *providers* asked after theirs.

    *on_result* sees the record of every command hook that ran.
    """
    around = around or Surroundings.here()
    settings = settings or read_settings(around, dialects=dialects)
    return Engine(
        [*choose(settings, around, on_result=on_result), *providers],
        strategy=settings.strategy,
        stop_block_cap=settings.stop_block_cap,
        observers=observers,
    )


def choose(
    settings: Settings, around: Surroundings, *, on_result: Callable[[Any], None] | None = None
) -> list[AnyProvider]:
    """Return the providers that *settings* ask for, in the order in which they are asked."""
    chosen: list[AnyProvider] = []
    if not any(entry.name == "guard" for entry in settings.providers):
        chosen.append(_guard(settings))
    chosen += [_provider(entry, settings, around) for entry in settings.providers if entry.enabled]
    if settings.hooks:
        from snaphook.providers.commands import CommandHooks

        chosen.append(
            CommandHooks(
                settings.hooks,
                parallel=settings.parallel,
                environ=environment,
                on_result=on_result,
                log=around.data_dir / "async-hooks.log",
            )
        )
    return chosen


def guard_settings(settings: Settings) -> GuardSettings:
    """Return what ``[guard]`` says, defaults where it says nothing."""
    section = settings.sections.get("guard")
    return msgspec.convert(dict(section.values), GuardSettings) if section else GuardSettings()


def log_settings(settings: Settings) -> LogSettings:
    """Return what ``[log]`` says, defaults where it says nothing."""
    section = settings.sections.get("log")
    return msgspec.convert(dict(section.values), LogSettings) if section else LogSettings()


def _guard(settings: Settings) -> AnyProvider:
    from snaphook.providers.guard.live import LiveWorld
    from snaphook.providers.guard.provider import GuardProvider

    def seen(_event: PreToolUse, context: HookContext) -> LiveWorld:
        where = context.cwd or context.team_root or settings.root
        return LiveWorld(where, env=environment(), project=context.team_root or settings.root)

    return GuardProvider(guard_settings(settings), world=seen)


def _provider(entry: ProviderEntry, settings: Settings, around: Surroundings) -> AnyProvider:
    provider = _guard(settings) if entry.use == "guard" else _made(entry, around)
    for name, value in (("stance", entry.stance), ("timeout", entry.timeout)):
        if value is not None:
            setattr(provider, name, value)
    return provider


def _made(entry: ProviderEntry, around: Surroundings) -> AnyProvider:
    """Return the provider that *entry* names, made with its options."""
    known = BUILT_IN if entry.use in BUILT_IN else {**BUILT_IN, **_installed(entry, around)}
    maker = resolve(entry, known)
    made: AnyProvider = maker
    try:
        if hasattr(maker, "from_options"):
            made = maker.from_options(entry.options)
        elif callable(maker):
            made = maker(**entry.options)
    except SnaphookError:
        raise
    except Exception as error:
        raise ConfigError(
            where=f"{entry.origin}: providers.{entry.name}",
            what=f"{entry.use} could not be made: {type(error).__name__}: {error}",
            fix="Mend its options, or set enabled = false.",
        ) from error
    return made


def _installed(entry: ProviderEntry, around: Surroundings) -> Mapping[str, str]:
    """Return the installed plugins, looked for only where the name is not an import string."""
    return {} if ":" in entry.use else plugins(around)
