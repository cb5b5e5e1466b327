"""What ``snaphook agent`` starts with, once the settings and the command line agree.

command line + [agent]  ->  Setup
"""

from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from snaphook.agent import AgentOptions, Permissions, SessionFolder
from snaphook.agent.session import default_home
from snaphook.agent.settings import AgentSettings
from snaphook.agent.vendors import check_model
from snaphook.config import Environment, Settings, load
from snaphook.engine import Engine, Observer
from snaphook.errors import ConfigError, UsageError
from snaphook.wiring import assembly, sections
from snaphook.wiring.recording import keep


class Setup(Struct, frozen=True, kw_only=True):
    """Everything an agent is made of."""

    options: AgentOptions
    permissions: Permissions
    engine: Engine
    settings: Settings
    sessions: SessionFolder | None
    resume: str | None


def set_up(given: dict[str, Any], *, headless: bool) -> Setup:
    """Return what the agent starts with; a missing key is told before anything is started."""
    around = _around(given)
    settings, around = assembly.tenanted(_settings(around), around)
    wanted = _wanted(settings, given)
    check_model(wanted.model)
    sessions = None if given["no_session"] else _sessions(wanted, around)
    return Setup(
        options=wanted.options(cwd=str(around.cwd), headless=headless),
        permissions=Permissions(mode=wanted.permission_mode),
        engine=assembly.build_engine(
            around, settings=settings, observers=_observers(settings, around)
        ),
        settings=settings,
        sessions=sessions,
        resume=_resumed(given, sessions),
    )


def _observers(settings: Settings, around: Environment) -> list[Observer]:
    """Return who writes every event of the agent down, where the settings want that."""
    log = assembly.log_settings(settings)
    return [partial(keep, settings=log, data_dir=around.data_dir)] if log.enabled else []


def sessions_of(given: dict[str, Any]) -> SessionFolder:
    """Return the sessions of the project the command line means."""
    around = _around(given)
    return _sessions(_wanted(_settings(around), given), around)


def _around(given: dict[str, Any]) -> Environment:
    return Environment.here(Path(given["cwd"] or Path.cwd()).absolute())


def _settings(around: Environment) -> Settings:
    return load(around, dialects=assembly.EVERY, sections=sections.every_section())


def _wanted(settings: Settings, given: dict[str, Any]) -> AgentSettings:
    """Return what ``[agent]`` says, and above it what the command line says."""
    section = settings.sections.get("agent")
    values = dict(section.values) if section else {}
    typed = {
        "model": given["model"],
        "max_turns": given["max_turns"],
        "max_cost": given["max_cost"],
        "permission_mode": given["permissions"],
        "directories": given["directories"] or None,
        "sessions": given["sessions"],
    }
    values |= {name: value for name, value in typed.items() if value is not None}
    try:
        return msgspec.convert(values, AgentSettings)
    except msgspec.ValidationError as error:
        raise ConfigError(
            where="[agent]", what=str(error), fix="'snaphook check' shows the place."
        ) from None


def _sessions(wanted: AgentSettings, around: Environment) -> SessionFolder:
    home = Path(wanted.sessions).expanduser() if wanted.sessions else default_home()
    return SessionFolder(home, str(around.cwd))


def _resumed(given: dict[str, Any], sessions: SessionFolder | None) -> str | None:
    if not (given["resume"] or given["latest"]):
        return None
    if sessions is None:
        raise UsageError(
            where="--no-session", what="there is no session to resume", fix="Leave it out."
        )
    return str(given["resume"] or sessions.latest())
