"""Where a store is, as it may be shown and as a driver takes it.

bolt://user:password@host:7687/database  ->  bolt://user:…@host:7687/database
"""

import re

_PASSWORD = re.compile(r"(?<=://)([^/@:]*):[^/@]*@")


def without_password(url: str) -> str:
    """Return *url* as it may be printed."""
    return _PASSWORD.sub(r"\1:…@", url)
