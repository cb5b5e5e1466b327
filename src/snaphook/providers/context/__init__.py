"""What a session should know: directives, decisions, history, skills."""

from snaphook.config import Environment

from .provider import ContextProvider
from .settings import ContextSettings

__all__ = ["ContextProvider", "ContextSettings", "make"]


def make(settings: ContextSettings, around: Environment) -> ContextProvider:
    """Return the provider that ``[context]`` switches on."""
    from snaphook.config.settings_files import project_root
    from snaphook.stores.eventlog.settings import LogSettings

    def scrub(text: str) -> str:
        from snaphook.scrub import Scrubber, load_salt

        return Scrubber(salt=load_salt(around.data_dir / "salt")).text(text)

    return ContextProvider(
        settings,
        state=around.data_dir,
        root=project_root(around),
        log=LogSettings().place(around.data_dir),
        scrub=scrub,
    )
