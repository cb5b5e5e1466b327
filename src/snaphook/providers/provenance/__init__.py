"""Where a value came from decides what may be done with it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .provider import ProvenanceProvider as ProvenanceProvider
