"""How much text a model is given at once."""

LIMIT = 30_000
"""Characters."""


def bounded(text: str, limit: int = LIMIT) -> str:
    """Return *text*, or its beginning and its end with a note between, if it is too long."""
    if len(text) <= limit:
        return text
    head, tail = limit * 2 // 3, limit // 3
    return f"{text[:head]}\n[… {len(text) - head - tail:,} characters left out …]\n{text[-tail:]}"
