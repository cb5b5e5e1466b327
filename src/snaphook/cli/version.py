"""``snaphook version``: what is installed, and, when asked, whether there is a newer release.

package metadata [+ the package index]  ->  a few lines

Nothing goes over the network unless ``--check`` is given.
"""

import json
import platform
import re
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import click

from snaphook import __version__
from snaphook.errors import MachineError
from snaphook.hosts.install import Scope
from snaphook.hosts.install.change import program

from .output import say, say_json
from .table import EXIT_PROBLEM

INDEX = "https://pypi.org/pypi/snaphook/json"
SECONDS = 5.0


@click.command("version")
@click.option(
    "--check", "check", is_flag=True, help="Look for a newer release on the package index."
)
@click.option("--index", default=INDEX, show_default=True, help="URL of the package index.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def command(ctx: click.Context, check: bool, index: str, as_json: bool) -> None:
    """Show the version. With --check, exit status 1 means that a newer release exists."""
    found: dict[str, Any] = {
        "version": __version__,
        "python": platform.python_version(),
        "client": " ".join(program(Scope.USER)),
    }
    if check:
        found["newest"] = newest(index)
        found["upgrade"] = later(found["newest"], __version__)
    if as_json:
        say_json(found)
    else:
        _show(found)
    if found.get("upgrade"):
        ctx.exit(EXIT_PROBLEM)


def newest(index: str) -> str:
    """Return the version that the package index at *index* calls the newest."""
    if not index.startswith(("http://", "https://")):
        raise MachineError(where=index, what="not an HTTP address", fix="Use https://…")
    request = Request(index, headers={"User-Agent": f"snaphook/{__version__}"})  # noqa: S310 - checked above
    try:
        with urlopen(request, timeout=SECONDS) as answer:  # noqa: S310 - likewise
            return str(json.load(answer)["info"]["version"])
    except (URLError, OSError, ValueError, KeyError, TypeError) as problem:
        raise MachineError(
            where=index,
            what=f"the newest version could not be read: {problem}",
            fix="Check the network, or look at the project's releases page.",
        ) from problem


def later(one: str, other: str) -> bool:
    """Say whether the release *one* came after *other*; a pre-release comes before its release."""
    return _ordered(one) > _ordered(other)


def _ordered(version: str) -> tuple[tuple[int, ...], int, str]:
    found = re.fullmatch(r"v?(\d+(?:\.\d+)*)(.*)", version)
    if found is None:
        raise MachineError(
            where="version", what=f"{version!r} is not a version", fix="Check the --index address."
        )
    numbers, rest = found.groups()
    return tuple(map(int, numbers.split("."))), 0 if rest else 1, rest


def _show(found: dict[str, Any]) -> None:
    say(f"snaphook {found['version']} (Python {found['python']})")
    say(f"client: {found['client']}")
    if "newest" in found:
        say(
            f"{found['newest']} is available. Run: uv tool upgrade snaphook, "
            "pipx upgrade snaphook, or pip install --upgrade snaphook"
            if found["upgrade"]
            else "This is the newest release."
        )
