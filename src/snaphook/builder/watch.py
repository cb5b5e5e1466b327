"""Who watches a build: derive from it and override what you want to see."""

from .records import Record


class BuildWatcher:
    """Sees everything, does nothing."""

    def on_record(self, record: Record) -> None:
        """See a step that has just been written down."""

    def on_text(self, text: str) -> None:
        """Hear a piece of what the planner or the builder says."""
