"""How models are named in the price list.

vendor:model-date  ->  model
"""

import re

_DATE = re.compile(r"[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$")


def plain(model: str) -> str:
    """Return the name of *model* without vendor and date."""
    return _DATE.sub("", model.rpartition(":")[2].rpartition("/")[2].lower())
