"""Every program the guard knows by name.

families  ->  PROGRAMS
"""

from __future__ import annotations

from collections.abc import Mapping

from snaphook.providers.guard.programs import delete
from snaphook.providers.guard.programs.program import Program

PROGRAMS: Mapping[str, Program] = {
    **delete.PROGRAMS,
}
