"""``snaphook sandbox status``: what this machine can enforce.

Ability  ->  a table, or JSON
"""

import msgspec

from snaphook.cli.here import here
from snaphook.cli.output import say, say_json
from snaphook.sandbox.helper import Ability, ability
from snaphook.wiring.sandbox import sandbox_settings


def show_status(*, as_json: bool) -> int:
    """Print what can be enforced here, and what cannot."""
    able = ability()
    settings, _ = here()
    wanted = sandbox_settings(settings)
    if as_json:
        told = {
            **msgspec.to_builtins(able),
            "confines": able.confines,
            "gaps": able.gaps,
            "mode": wanted.mode,
            "network": wanted.network,
            "trial": wanted.trial,
        }
        say_json(told)
        return 0
    state = "confined" if able.confines and wanted.mode != "off" else "NOT confined"
    say(f"mode = {wanted.mode}, network = {wanted.network}: unread commands are {state}")
    for name, value in _rows(able):
        say(f"  {name:<22} {value}")
    for gap in able.gaps:
        say(f"  cannot: {gap}", style="yellow")
    return 0


def _rows(able: Ability) -> list[tuple[str, str]]:
    def yes(value: bool) -> str:
        return "yes" if value else "no"

    return [
        ("helper", able.helper or "not installed"),
        ("Landlock", f"ABI {able.landlock}" if able.landlock else "no"),
        ("mount namespaces", yes(able.namespaces)),
        ("network namespaces", yes(able.network_namespace)),
        ("overlay (trial runs)", yes(able.overlay)),
        ("seccomp", yes(able.seccomp)),
        ("reports of refusals", yes(able.watcher)),
        ("Seatbelt (macOS)", yes(able.seatbelt)),
    ]
