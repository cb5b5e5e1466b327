"""Providers that the settings name: the policies, and plugins.

ProviderEntry  ->  provider, made with its options
"""

from collections.abc import Mapping

from msgspec.structs import replace

from snaphook.canon import AnyProvider
from snaphook.config import Environment, ProviderEntry, Settings
from snaphook.errors import ConfigError, SnaphookError

BUILT_IN: Mapping[str, str] = {
    "default": "snaphook.providers.policies:DefaultHooksProvider",
    "gates": "snaphook.providers.gates:GatesProvider",
    "guard": "snaphook.providers.guard.provider:GuardProvider",
}
"""The providers that ``use = "…"`` may name without installing anything."""


def configured(entry: ProviderEntry, settings: Settings, around: Environment) -> AnyProvider:
    """Return the provider that *entry* names, whoever wrote it."""
    return _policies(entry, settings, around) if entry.use == "default" else _made(entry, around)


def _policies(entry: ProviderEntry, settings: Settings, around: Environment) -> AnyProvider:
    """Return the policies, with a memory that outlives a hook's process: this project's own.

    Their placeholders are those of the log, so that what an agent saw and what is kept can be joined.
    """
    from hashlib import sha256

    from snaphook.providers.policies import DefaultHooksProvider, read_options

    config = read_options(entry.options, where=f"{entry.origin}: providers.{entry.name}.options")
    if not config.state_dir:
        root = str(settings.root).encode("utf-8", "surrogatepass")
        kept = around.data_dir / "policies" / sha256(root).hexdigest()[:16]
        salt = config.salt_file or str(around.data_dir / "salt")
        config = replace(config, state_dir=str(kept), salt_file=salt)
    return DefaultHooksProvider(config)


def _made(entry: ProviderEntry, around: Environment) -> AnyProvider:
    """Return the provider that *entry* names, made with its options."""
    from snaphook.config.plugins import resolve

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
            what=f"{entry.use} could not be created: {type(error).__name__}: {error}",
            fix="Fix its options, or set enabled = false.",
        ) from error
    return made


def _installed(entry: ProviderEntry, around: Environment) -> Mapping[str, str]:
    """Return the installed plugins, looked for only where the name is not an import string."""
    from snaphook.config.plugins import plugins

    return {} if ":" in entry.use else plugins(around)
