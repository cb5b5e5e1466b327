"""Every rule: whatever a module of this folder calls ``RULE`` or ``RULES``.

rules/*.py  ->  RULES

A new rule is one file; nothing else has to name it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules

from snaphook.providers.guard import rules
from snaphook.providers.guard.rules.rule import Rule

ORDER = (
    "delete",
    "overwrite",
    "permissions",
    "disks",
    "remote_code",
    "addresses",
    "package_sources",
    "remote_copy",
    "requests",
    "system",
    "self_protection",
    "self_named",
    "self_child",
    "self_typing",
    "privilege",
    "windows",
    "opaque",
    "git_push",
    "git_discard",
    "git_history",
    "git_checks",
    "git_message",
    "git_lease",
    "git_add_all",
    "forges",
    "containers",
    "clusters",
    "clouds",
    "services",
    "packages",
    "backups",
    "database",
    "migrations",
    "machine",
    "secrets",
    "records",
    "contents",
    "agents",
    "secret_stores",
    "leaks",
    "whole_uploads",
    "choices",
    "pack_ci",
    "pack_cloud",
    "pack_databases",
    "pack_docker",
    "pack_exfiltration",
    "pack_kubernetes",
    "pack_publishing",
    "pack_services",
    "pack_terraform",
    "pack_windows",
)
"""The modules whose rules are asked first, in this order; every other follows by name.

Where several rules object with the same answer, the first of them names the reason that people read,
so what is worse stands first.
"""


def by_module() -> Iterator[tuple[str, tuple[Rule, ...]]]:
    """Yield the name of each module that has rules, and its rules, in the order they are asked."""
    found = [module.name for module in iter_modules(rules.__path__) if module.name != "table"]
    place = {name: i for i, name in enumerate(ORDER)}
    for name in sorted(found, key=lambda name: (place.get(name, len(place)), name)):
        module = import_module(f"{rules.__name__}.{name}")
        if hasattr(module, "RULES"):
            yield name, module.RULES
        elif hasattr(module, "RULE"):
            yield name, (module.RULE,)


RULES: tuple[Rule, ...] = tuple(rule for _, found in by_module() for rule in found)

BY_ID: Mapping[str, Rule] = {rule.id: rule for rule in RULES}
