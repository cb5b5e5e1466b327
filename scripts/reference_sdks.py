"""The page of agent SDKs and the MCP proxy, made from the table that their shims obey.

SDKS + MCP_PROXY  ->  docs/reference/sdks.md
"""

from reference_hosts import cell

from snaphook.bridges.table import MCP_PROXY, SDKS, Sdk
from snaphook.canon import EVENTS


def sdks_page() -> str:
    """Return the page's text."""
    columns = [*SDKS.values(), MCP_PROXY]
    events = [spec.event for spec in EVENTS if any(spec.event in sdk.can for sdk in columns)]
    head = "| event | " + " | ".join(_linked(sdk) for sdk in columns) + " |\n"
    rule = "|---|" + "---|" * len(columns) + "\n"
    rows = "".join(
        f"| [{event.__name__}](events.md) | "
        + " | ".join(cell([sdk.can[event]] if event in sdk.can else []) for sdk in columns)
        + " |\n"
        for event in events
    )
    lines = "".join(
        f"| {sdk.title} | `snaphook.bridges.{sdk.module}` | `pip install 'snaphook[{sdk.extra}]'` |\n"
        for sdk in columns
    )
    return (
        "# Agent SDKs\n\n"
        "Which of our events fire inside which SDK, and before an MCP server, and what a hook may do about "
        "them there. **B** it "
        "can be stopped (denied, or sent back), **A** a person can be asked, **M** the call or text can "
        "be changed, **R** a result can be replaced, **C** text reaches the model, · it is heard and "
        "nothing more, and an empty cell: the SDK has no such place.\n\n"
        "A verdict that an SDK lacks becomes the next stricter one: who cannot change a call asks, who "
        'cannot ask refuses. Where no user is available, an "ask" is a no.\n\n'
        f"{head}{rule}{rows}\n"
        "| SDK | import | install |\n|---|---|---|\n"
        f"{lines}"
    )


def _linked(sdk: Sdk) -> str:
    return f"[{sdk.title}](../how-to/sdks/{sdk.name}.md)"
