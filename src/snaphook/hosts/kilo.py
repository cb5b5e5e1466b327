"""Kilo, through the plugin we ship for OpenCode.

tool.execute.before  ->  PreToolUse  ->  {"deny": …} or {"args": …}

A fork of OpenCode that kept its plugins: the same hooks, the same answers, folders and further tools of
its own.
"""

from snaphook.canon import Event, Output

from . import opencode
from .host import HostCall, Reply
from .placement import HooksFormat, Placement, Wired
from .tools import HostTool, ToolNames

NAME = "kilo"
TITLE = "Kilo"
SILENCE = opencode.SILENCE
_OTHERS = {
    "board_post", "board_read", "cancel_wakeup", "cron_create", "cron_delete", "cron_list", "goal",
    "kilo_local_recall", "link_pr", "schedule_wakeup", "suggest",
}  # fmt: skip
TOOLS = ToolNames(
    {
        **opencode.TOOLS.tools,
        "background_process": HostTool("Bash", {"workdir": "cwd"}),
    },
    others=opencode.TOOLS.others | _OTHERS,
)
CAN = opencode.CAN
PLACEMENT = Placement(
    user=".config/kilo/plugin/snaphook.js",
    project=".kilo/plugin/snaphook.js",
    home="XDG_CONFIG_HOME",
    shape=HooksFormat.FILE,
    wired=tuple(Wired(name) for name in CAN),
    program="kilo",
    plugin="opencode.js",
    signs=(".config/kilo", ".local/share/kilo", ".kilocode"),
)


def decode(wire: bytes, call: HostCall) -> Event:
    """Return what our plugin hands over: ``{hook, directory, input, output}``."""
    return opencode.decode_for(NAME, TOOLS, wire, call)


def encode(event: Event, output: Output) -> Reply:
    """Return what our plugin should do."""
    return opencode.encode_for(TITLE, TOOLS, event, output)
