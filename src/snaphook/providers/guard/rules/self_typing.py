"""An agent does not have its leash loosened by a terminal that is not its own."""

from __future__ import annotations

import re

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Call, Span

_TYPISTS_TEXT = """
    tmux screen zellij wezterm kitty kitten xdotool ydotool wtype dotool osascript emacsclient nvim
    gnome-terminal konsole xterm xfce4-terminal alacritty foot footclient kgx ptyxis terminator tilix
    lxterminal mate-terminal x-terminal-emulator urxvt rxvt st ghostty
"""
_TYPISTS = tuple(_TYPISTS_TEXT.split())
_WISH = re.compile(
    r"snaphook\W*(?:allow|pause|trust|uninstall|daemon\W*(?:stop|restart|run)|init\W*remove)"
)


def types(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a call that requests an override through another terminal.

    Blocks: tmux send-keys -t work "snaphook allow 1 --once" Enter
    Blocks: tmux send-keys -t work snap "hook allow 1" Enter
    Blocks: screen -S work -X stuff "snaphook pause 1h"
    Blocks: xdotool type "snaphook allow 1"
    Blocks: gnome-terminal -- snaphook allow 1 --once
    Blocks: kitty @ send-text "snaphook trust --yes"
    Allows: tmux send-keys -t work "npm test" Enter
    Allows: tmux new-session -d -s snaphook
    Allows: git commit -m "Tell what snaphook allow does in tmux"
    """
    said = "".join(arg.text for arg in call.args)
    return call.span if _WISH.search(said) else None


RULE = Rule(
    id="self.typed",
    answer=GuardAnswer.DENY,
    says="requests an override through another terminal",
    why="only the user can override a denial",
    instead="Tell the user what you need and why.",
    programs=_TYPISTS,
    objects_to=types,
)
