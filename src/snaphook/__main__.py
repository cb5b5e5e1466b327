"""``python -m snaphook``: the same as the ``snaphook`` command."""

import sys

from snaphook.cli.main import run

sys.exit(run())
