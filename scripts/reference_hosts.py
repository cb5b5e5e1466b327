"""The hosts' pages, made from the tables in their modules.

CAN, TOOLS, PLACEMENT, NOTES  ->  docs/reference/hosts.md, docs/how-to/hosts/*.md
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from snaphook.canon import EVENTS, PreToolUse, Stance, Verdict
from snaphook.hosts import HOSTS, Can, Host, host_named
from snaphook.hosts.verified import Verified, all_verified

DRIVEN = {name: seen.version for name, seen in all_verified().items()}
"""The hosts whose real programs our tests run, and the versions they run."""
NOT_DRIVEN = {
    "cursor": "its agent needs an account; read from the code of its SDK",
    "vscode": "an editor with an account; read from its source",
    "wave": "not in a package registry; built from source and tried by hand, version 1.1",
    "windsurf": "an editor with an account; read from its documents",
    "kiro": "needs an account; read from its documents and others' measurements",
    "goose": "not in a package registry; read from its documents",
    "crush": "its package downloads the program from elsewhere; read from its documents",
    "antigravity": "not in a package registry; read from its documents",
}
"""Why a test does not run the real program."""


def _notes() -> dict[str, str]:
    """Return what is worth knowing about each host, from the prose beside this file."""
    text = Path(__file__).with_name("host_notes.md").read_text(encoding="utf-8")
    sections = (part.partition("\n") for part in text.split("\n## ")[1:])
    return {name.strip(): body.strip() + "\n" for name, _, body in sections}


def host_pages() -> Iterator[tuple[str, str]]:
    """Yield each page's path under ``docs/`` and its text."""
    yield "reference/hosts.md", _matrix()
    yield "how-to/hosts/index.md", _index()
    yield "how-to/hosts/screens.md", _screens()
    notes = _notes()
    for name in HOSTS:
        yield f"how-to/hosts/{name}.md", _page(host_named(name), notes[name])


def _matrix() -> str:
    hosts = [host_named(name) for name in HOSTS if name != "generic"]
    events = [spec.event for spec in EVENTS if spec.name != "HostEvent"]
    head = "| host | " + " | ".join(event.__name__ for event in events) + " |\n"
    rule = "|---|" + "---|" * len(events) + "\n"
    rows = "".join(
        f"| [{host.TITLE}](../how-to/hosts/{host.NAME}.md) | "
        + " | ".join(
            cell([can for can in host.CAN.values() if can.event is event]) for event in events
        )
        + " |\n"
        for host in hosts
    )
    return (
        "# Hosts\n\n"
        "What each host lets a hook do, event by event. **B** it can be stopped (denied, or sent "
        "back), **A** a person can be asked, **M** the call or text can be changed, **R** a result "
        "can be replaced, **C** text reaches the model, · the event is received and nothing more, and "
        "an empty cell: the host has no such event.\n\n"
        "A verdict that a host lacks becomes the next stricter one: where a call cannot be changed, a "
        "person is asked; where no user is available, it is denied.\n\n"
        f"{head}{rule}{rows}\n"
        "## Where commands are confined\n\n"
        "The [sandbox](../explanation/sandbox.md) needs a host that accepts changed calls (**M** before a "
        f"tool): {_titles(hosts, confines=True)}. The others keep their behavior without it: what the guard "
        f"cannot read is judged by its rules alone in {_titles(hosts, confines=False)}. Copilot CLI asks a "
        "person about every path outside the project, so there the sandbox is called by its bare name, "
        "and commands are confined where `snaphook-sandbox` is on the agent's `PATH`.\n\n"
        "## When our program fails\n\n"
        "As `snaphook init` installs it. *runs* means that the host goes on as if there were no hook, "
        "and has no setting to change that; `snaphook doctor` shows the same.\n\n"
        "| host | before a tool, if it crashes | if it hangs |\n"
        "|---|---|---|\n"
        f"{''.join(_failing(host) for host in hosts)}"
    )


_COLUMNS = {
    "denied command": lambda seen: "did not run" if seen.refused else "**ran**",
    "reason": lambda seen: f"told the {seen.reason}" if seen.reason else "told nobody",
    "question, nobody there": lambda seen: seen.question,
    "its own hook file": lambda seen: "protected" if seen.own_hooks else "**open**",
    "context: start": lambda seen: _yes(seen.session),
    "prompt": lambda seen: _yes(seen.prompt),
    "result": lambda seen: _yes(seen.result),
    "Stop sent back": lambda seen: _yes(seen.stop),
    "client crashes": lambda seen: seen.crash,
    "hangs": lambda seen: seen.hang,
    "is missing": lambda seen: seen.missing,
}


def _seen(hosts: list[Host]) -> str:
    """Return the table of what tests saw the real programs do."""
    known = all_verified()
    head = "| agent | version | seen on | " + " | ".join(_COLUMNS) + " |\n"
    rows = "".join(_seen_row(host, known[host.NAME]) for host in hosts if host.NAME in known)
    return (
        "## Seen on the real programs\n\n"
        "Each agent was installed from its registry and run without a person, wired by `snaphook init`, "
        "against a scripted model. The table is written from what those runs showed (`make observe`), and "
        "the tests compare every later run with it. `snaphook doctor --live` repeats it on your machine.\n\n"
        f"{head}{'|---' * (len(_COLUMNS) + 3)}|\n{rows}"
    )


def _seen_row(host: Host, seen: Verified) -> str:
    cells = " | ".join(column(seen) for column in _COLUMNS.values())
    return f"| {host.TITLE} | {seen.version} | {seen.date} | {cells} |\n"


def _yes(yes: bool) -> str:
    return "yes" if yes else "–"


def _not_seen(hosts: list[Host]) -> str:
    rows = "| Amp | no host of ours yet: its agent runs on its maker's servers, which cannot be scripted |\n"
    rows += "".join(
        f"| {host.TITLE} | {NOT_DRIVEN[host.NAME]} |\n" for host in hosts if host.NAME not in DRIVEN
    )
    return (
        "## Not verified on the real program\n\n"
        "`snaphook init` says so for these. Their wiring and answers are tested against recorded or "
        "written messages.\n\n"
        f"| agent | why |\n|---|---|\n{rows}"
    )


def _titles(hosts: list[Host], *, confines: bool) -> str:
    """Return the titles of the hosts whose commands the sandbox can confine, or of the others."""
    return ", ".join(
        host.TITLE for host in hosts if confines is (Verdict.MODIFY in _before_tools(host).say)
    )


def cell(rows: list[Can]) -> str:
    """Return the marks of what *rows* let a hook do."""
    if not rows:
        return ""
    marks = {
        "B": any(v.stops for can in rows for v in can.say),
        "A": any(Verdict.ASK in can.say for can in rows),
        "M": any(Verdict.MODIFY in can.say for can in rows),
        "R": any(can.replace for can in rows)
        and not any(Verdict.MODIFY in can.say for can in rows),
        "C": any(can.context for can in rows),
    }
    return " ".join(mark for mark, yes in marks.items() if yes) or "·"


def _failing(host: Host) -> str:
    can = _before_tools(host)
    return f"| {host.TITLE} | {_stance(can.crash)} | {_stance(can.timeout)} |\n"


def _before_tools(host: Host) -> Can:
    wired = host.PLACEMENT.wired if host.PLACEMENT else ()
    rows = [host.CAN[entry.event] for entry in wired] or list(host.CAN.values())
    return next(can for can in rows if can.event is PreToolUse)


def _screens() -> str:
    """Return the page of what a person sees, from screens that were taken of the real interfaces."""
    files = sorted(Path(__file__).with_name("screens").glob("*.txt"))
    shown = ""
    for file in files:
        title, _, lines = file.read_text(encoding="utf-8").partition("\n")
        shown += f"## {title}\n\n```text\n{lines.rstrip()}\n```\n\n"
    return (
        "# What you see in each agent\n\n"
        "The first line of a message says which part of the command was found and why; the next says what to "
        "do instead; the last how to allow it. These screens were taken of the real terminal interfaces "
        "(`make observe`), with one command that is denied and one that is asked about. Agents cut long "
        "messages, each at another place.\n\n"
        f"{shown}"
        "## Agents that show less\n\n"
        "- Gemini CLI tells the model and shows you nothing; `snaphook log` does.\n"
        "- Cline stops without a word; `snaphook log` says why.\n"
        "- Where an agent cannot ask, a question is a denial that says so: Droid above.\n"
    )


def _index() -> str:
    rows = "".join(
        f"| [{host_named(name).TITLE}]({name}.md) | `{name}` | "
        f"{'yes' if name in DRIVEN else 'on recorded or written messages'} |\n"
        for name in HOSTS
    )
    return (
        "# Agents\n\n"
        "`snaphook init` finds the agents on this machine, shows what it would change, and writes "
        "Snaphook into their settings. `snaphook doctor` proves that it works; `--live` runs the "
        "agent itself, against a scripted model. `snaphook uninstall` puts the files back as they "
        "were.\n\n"
        "What each can and cannot do is in one table: [Hosts](../../reference/hosts.md).\n\n"
        f"| agent | `--host` | our tests run it |\n|---|---|---|\n{rows}"
    )


def _page(host: Host, notes: str) -> str:
    about = (host.__doc__ or "").strip().split("\n\n")
    words = " ".join(" ".join(about[2:]).split()).replace("``", "`")
    words = " ".join(f"<{word}>" if word.startswith("https://") else word for word in words.split())
    driven = (
        f"Our tests run the real program, version {DRIVEN[host.NAME]}, against a scripted model.\n"
        if host.NAME in DRIVEN
        else "Our tests hold it against messages written down from its code or documents; they do "
        "not run the program.\n"
    )
    heading = (
        "| its event | ours | may be told | text reaches the model | if we crash | if we hang |\n"
        "|---|---|---|---|---|---|\n"
    )
    return (
        f"# {host.TITLE}\n\n{words}\n\n{driven}\n{_wiring(host)}"
        f"## Worth knowing\n\n{notes}\n"
        f"## Events\n\n{heading}"
        f"{''.join(_row(name, can) for name, can in host.CAN.items())}\n"
        "Any other event it sends is recorded whole and never answered.\n"
        f"{_tools(host)}"
    )


def _wiring(host: Host) -> str:
    place = host.PLACEMENT
    if place is None:
        return f"```console\n$ snaphook hook {host.NAME} EVENT < event.json\n```\n\n"
    moved = f" (`{place.home}` moves it)" if place.home else ""
    project = f"| `--scope project` | `{place.project}` |\n" if place.project else ""
    return (
        f"```console\n$ snaphook init --host {host.NAME}\n$ snaphook doctor {host.NAME}\n```\n\n"
        f"| scope | file |\n|---|---|\n| `--scope user` | `~/{place.user}`{moved} |\n{project}\n"
    )


def _row(name: str, can: Can) -> str:
    said = ", ".join(verdict.value for verdict in can.say) or "–"
    can_stop = any(verdict.stops for verdict in can.say)
    crash, hang = (_stance(can.crash), _stance(can.timeout)) if can_stop else ("–", "–")
    reaches = "yes" if can.context else "no"
    return f"| `{name}` | {can.event.__name__} | {said} | {reaches} | {crash} | {hang} |\n"


def _tools(host: Host) -> str:
    if not host.TOOLS.tools:
        return ""
    rows = "".join(
        f"| `{theirs}` | `{tool.name}` | {_renamed(tool.args)} |\n"
        for theirs, tool in host.TOOLS.tools.items()
    )
    return f"\n## Tool names\n\n| its tool | ours | its arguments, ours |\n|---|---|---|\n{rows}"


def _renamed(args: Mapping[str, str]) -> str:
    return ", ".join(f"`{theirs}` → `{ours}`" for theirs, ours in args.items()) or "–"


def _stance(stance: Stance) -> str:
    return "refused" if stance is Stance.CLOSED else "runs"
