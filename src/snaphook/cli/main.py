"""The front of the command line: find the command, load it alone, turn errors into words.

argv  ->  command  ->  exit status

``hook`` is called by hosts on every tool call, and ``field`` by recipes: they go past click altogether.
"""

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

from snaphook.errors import SnaphookError, UsageError, UserError

if TYPE_CHECKING:
    import click

COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("snaphook.cli.init", "Wire Snaphook into the agents on this machine."),
    "doctor": ("snaphook.cli.doctor", "Prove that each agent's hooks fire and block."),
    "uninstall": ("snaphook.cli.uninstall", "Take Snaphook out of the agents' settings again."),
    "check": ("snaphook.cli.check", "Find every mistake in the settings."),
    "hooks": ("snaphook.cli.hooks", "Show what is configured, from where, and whether it may run."),
    "trust": ("snaphook.cli.trust", "Let a project's own settings run."),
    "recipes": ("snaphook.cli.recipes", "List, show and add ready-made hooks."),
    "field": ("snaphook.cli.field", "Take one value out of a hook's JSON on stdin."),
    "events": ("snaphook.cli.events", "List the events, and what may be said about each."),
    "fire": ("snaphook.cli.fire", "Dispatch one event by hand and see who says what."),
    "explain": ("snaphook.cli.explain", "Show what the guard makes of a command, and why."),
    "guard": ("snaphook.cli.guard", "List the guard's rules, or show one."),
    "daemon": ("snaphook.cli.daemon", "Start, stop and look at the process that answers fast."),
