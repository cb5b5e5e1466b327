"""Every rule, in the order they are asked.

modules  ->  RULES
"""

from __future__ import annotations

from collections.abc import Mapping

from snaphook.providers.guard.rules import (
    addresses,
    agents,
    backups,
    clouds,
    clusters,
    containers,
    contents,
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
    package_sources,
    packages,
    permissions,
    privilege,
    records,
    remote_code,
    remote_copy,
    requests,
    secret_stores,
    secrets,
    self_protection,
    services,
    system,
    windows,
)
from snaphook.providers.guard.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    *delete.RULES,
    *overwrite.RULES,
    *permissions.RULES,
    disks.RULE,
    *remote_code.RULES,
    *addresses.RULES,
    package_sources.RULE,
    remote_copy.RULE,
    requests.RULE,
    *system.RULES,
    *self_protection.RULES,
    privilege.RULE,
    *windows.RULES,
    opaque.RULE,
    *git_push.RULES,
    *git_discard.RULES,
    git_history.RULE,
    *git_checks.RULES,
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
    *secrets.RULES,
    *records.RULES,
    *contents.RULES,
    *agents.RULES,
    *secret_stores.RULES,
)

BY_ID: Mapping[str, Rule] = {rule.id: rule for rule in RULES}
