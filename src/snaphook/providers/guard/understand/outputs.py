"""What some programs print, where that can be known from their words alone.

Call  ->  text

So that `rm -rf "$(echo /)"` and `echo cm0gLXJmIC8= | base64 -d | sh` are what they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from snaphook.providers.guard.facts import Call

Output = Callable[[Call, Mapping[str, str]], str]


def echo(call: Call, _files: Mapping[str, str]) -> str:
    """Print the words."""
    return " ".join(arg.text for arg in call.args) + "\n"


OUTPUTS: Mapping[str, Output] = {
    "echo": echo,
}
