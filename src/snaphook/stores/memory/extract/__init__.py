"""What is worth keeping of a document or a conversation."""

from .document import DocumentOrigin, Draft, SourceDocument
from .markdown import from_markdown
from .transcript import from_transcript

__all__ = ["DocumentOrigin", "Draft", "SourceDocument", "from_markdown", "from_transcript"]
