"""Serve a script by hand: ``python -m snaphook.testing FILE [PORT]``.

It prints the variables that point an agent here, in a form a shell can read, and serves until
Ctrl-C.
"""

import contextlib
import shlex
import sys
import threading
from pathlib import Path

from snaphook.errors import SnaphookError

from .server import ModelServer


def main(argv: list[str]) -> int:
    """Serve the script in the file that *argv* names."""
    if len(argv) not in {1, 2}:
        sys.stderr.write("usage: python -m snaphook.testing FILE [PORT]\n")
        return 2
    try:
        server = ModelServer(Path(argv[0]).read_text(), port=int(argv[1]) if argv[1:] else 0)
    except (OSError, ValueError, SnaphookError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    with server, contextlib.suppress(KeyboardInterrupt):
        for name, value in server.environment().items():
            sys.stdout.write(f"export {name}={shlex.quote(value)}\n")
        sys.stdout.flush()
        threading.Event().wait()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
