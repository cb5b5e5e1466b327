"""Every program the guard knows by name.

families  ->  PROGRAMS
"""

from __future__ import annotations

from collections.abc import Mapping

from snaphook.providers.guard.programs import (
    batch,
    copy,
    databases,
    delete,
    disks,
    editors,
    escapes,
    git,
    interpreters,
    network,
    permissions,
    remote,
    runners,
    search,
    shells,
    tasks,
    tools,
    uploads,
    windows,
    wrappers,
)
from snaphook.providers.guard.programs.program import Program, also

_FAMILIES: Mapping[str, Program] = {
    **batch.PROGRAMS,
    **copy.PROGRAMS,
    **databases.PROGRAMS,
    **delete.PROGRAMS,
    **disks.PROGRAMS,
    **editors.PROGRAMS,
    **git.PROGRAMS,
    **interpreters.PROGRAMS,
    **network.PROGRAMS,
    **permissions.PROGRAMS,
    **remote.PROGRAMS,
    **runners.PROGRAMS,
    **search.PROGRAMS,
    **shells.PROGRAMS,
    **tasks.PROGRAMS,
    **tools.PROGRAMS,
    **windows.PROGRAMS,
    **wrappers.PROGRAMS,
}

PROGRAMS: Mapping[str, Program] = also(
    also(also(_FAMILIES, tasks.SCRIPTS), escapes.TELLERS), uploads.TELLERS
)
