"""Every rule, in the order they are asked.

modules  ->  RULES, and the same sorted by what they watch
"""

from __future__ import annotations

from collections.abc import Mapping

from snaphook.providers.guard.facts import Act
from snaphook.providers.guard.rules import (
    backups,
    clouds,
    clusters,
    containers,
    database,
    delete,
    disks,
    forges,
    git_add_all,
    git_checks,
    git_discard,
    git_history,
    git_lease,
    git_message,
    git_push,
    machine,
    migrations,
    opaque,
    overwrite,
    packages,
    permissions,
    remote_code,
    self_protection,
    services,
    system,
)
from snaphook.providers.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    *delete.RULES,
    *overwrite.RULES,
    *permissions.RULES,
    disks.RULE,
    *remote_code.RULES,
    *system.RULES,
    *self_protection.RULES,
    opaque.RULE,
    *git_push.RULES,
    *git_discard.RULES,
    git_history.RULE,
    git_checks.RULE,
    git_message.RULE,
    git_lease.RULE,
    git_add_all.RULE,
    forges.RULE,
    *containers.RULES,
    *clusters.RULES,
    *clouds.RULES,
    services.RULE,
    packages.RULE,
    backups.RULE,
    *database.RULES,
    migrations.RULE,
    machine.RULE,
)


def _by_program() -> Mapping[str, tuple[Rule, ...]]:
    names = {name for rule in RULES for name in rule.programs}
    return {name: tuple(rule for rule in RULES if name in rule.programs) for name in names}


def _by_act() -> Mapping[Act, tuple[Rule, ...]]:
    return {act: tuple(rule for rule in RULES if act in rule.acts) for act in Act}


BY_PROGRAM = _by_program()
BY_ACT = _by_act()
BY_ID: Mapping[str, Rule] = {rule.id: rule for rule in RULES}
