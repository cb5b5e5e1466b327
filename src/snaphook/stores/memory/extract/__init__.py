"""What is worth keeping of a document or a conversation."""

from .document import Document, Draft, Origin
from .markdown import from_markdown
from .transcript import from_transcript

__all__ = ["Document", "Draft", "Origin", "from_markdown", "from_transcript"]
