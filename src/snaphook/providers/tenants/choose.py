"""In whose name a session acts.

tables + SNAPHOOK_TENANT + project  ->  a tenant's name, or an error

Closed: a name that nobody knows, a project of two tenants, or a name that contradicts the project
is an error, and an error stops the call. Pure but for the resolving of links.
"""

import os
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import msgspec

from snaphook.config import Section, Settings
from snaphook.errors import ConfigError

from .settings import NAME, Tenant

VARIABLE = "SNAPHOOK_TENANT"
OWN = frozenset(field.name for field in msgspec.structs.fields(Tenant))


def choose(tables: Mapping[str, Any], *, named: str, project: str, home: Path) -> str:
    """Return the tenant in whose name somebody works in *project*; empty for nobody's."""
    tenants = {name: _tenant(name, table) for name, table in tables.items()}
    owners = list(_owners(tenants, project, home))
    if len(owners) > 1:
        raise _problem(
            f"{project} belongs to more than one of them: {', '.join(owners)}",
            "List it in 'projects' of only one of them.",
        )
    if named:
        return _named(named, tenants, owners, project)
    defaults = [name for name, tenant in tenants.items() if tenant.default]
    if len(defaults) > 1:
        raise _problem(f"more than one default: {', '.join(defaults)}", "Keep one of them.")
    return (*owners, *defaults, "")[0]


def lay_over(settings: Settings, name: str) -> Settings:
    """Return *settings* with the tables of the tenant *name* over the common ones."""
    own = settings.sections["tenants"].values[name]
    origin = settings.sections["tenants"].origins[name]
    sections = dict(settings.sections)
    for key, table in own.items():
        if key in OWN:
            continue
        under = sections.get(key, Section(values={}, origins={}))
        sections[key] = Section(
            values=_merged(under.values, table),
            origins={**under.origins, **dict.fromkeys(table, origin)},
        )
    return msgspec.structs.replace(settings, sections=sections)


def _named(named: str, tenants: Mapping[str, Tenant], owners: list[str], project: str) -> str:
    if named not in tenants:
        known = ", ".join(sorted(tenants)) or "none at all"
        raise _problem(
            f"{VARIABLE}={named!r} is unknown",
            f"There are: {known}. Add [tenants.{named}] if it is meant to be one."
            if NAME.fullmatch(named)
            else f"There are: {known}.",
        )
    if owners and owners != [named]:
        raise _problem(
            f"{VARIABLE}={named!r}, but {project} is a project of '{owners[0]}'",
            "Work in one of your own projects, or unset the variable.",
        )
    return named


def _owners(tenants: Mapping[str, Tenant], project: str, home: Path) -> Iterator[str]:
    real = os.path.realpath(project)
    for name, tenant in tenants.items():
        if any(_holds(pattern, real, home) for pattern in tenant.projects):
            yield name


def _holds(pattern: str, project: str, home: Path) -> bool:
    """Say whether *project* is the folder that *pattern* names, or below it."""
    text = str(home / pattern[2:]) if pattern.startswith("~/") else pattern
    text = text.rstrip("/") if any(c in text for c in "*?[") else os.path.realpath(text)
    return fnmatchcase(project, text) or fnmatchcase(project, f"{text.rstrip('/')}/*")


def _tenant(name: str, table: Any) -> Tenant:
    for _, what, fix in Tenant.misnamed(name):
        raise _problem(what, fix)
    try:
        return msgspec.convert(table, Tenant)
    except msgspec.ValidationError as error:
        raise _problem(f"{name}: {error}", "'snaphook check' shows the place.") from None


def _merged(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(under)
    for key, value in over.items():
        below = merged.get(key)
        both = isinstance(value, dict) and isinstance(below, dict)
        merged[key] = _merged(below, value) if both and below is not None else value
    return merged


def _problem(what: str, fix: str) -> ConfigError:
    return ConfigError(where="[tenants]", what=what, fix=fix)
