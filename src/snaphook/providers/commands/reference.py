"""The reference page of the dialects, made from their own tables.

RULES, FIELDS, VARIABLES, SUBJECTS  ->  docs/reference/dialects.md
"""

from collections.abc import Iterable

from msgspec import Struct

from snaphook.canon import BY_NAME, HOST_EVENTS
from snaphook.canon.table import SPECS
from snaphook.config import Dialect
from snaphook.config.matchers import OLD_NAMES, SUBJECTS
from snaphook.process.running import GRACE, LINGER
from snaphook.process.values import KEEP

from .dialects import FALLBACK, NEVER_CLOSED, RULES, Rules, StderrEffect
from .documents import DocumentWire, FlatWire, SpecificWire
from .environment import ENV_FILE, VARIABLES
from .payload import BASE, FIELDS, Field

_INTRO = f"""# Dialects

A settings file follows the rules of the agent it was written for. This page is made from the tables
that decide.

In every dialect, **exit 0** is a success, **exit 2** has the effect in the table, and **any other
exit code** sends stderr to the user and stops nothing. Where stderr is empty,
`{FALLBACK}`, with the hook's name and exit code, is said in
its place. A timeout, a death by signal and a command that could not be started are failures, never
exit 0: they are reported to the user and in the log, and the hook's output is not used. A hook with
`onFailure: "block"` (`stance = "closed"`) turns its own failure into a stop, except on
{", ".join(sorted(NEVER_CLOSED))}, where a broken hook would hold the agent for ever.

A hook runs under bash (under `sh` where there is none) in a process group of its own. Its timeout ends
the whole group: TERM, and KILL {GRACE:g} s later. A child that the hook leaves behind is left alone and
waited for no longer than {LINGER:g} s. Of each stream {KEEP // 1024:,} KiB are kept, the beginning and the
end; what lies between is counted. Bytes that are not UTF-8 become U+FFFD. An `async` hook is started and
not waited for. A process of its own watches it: it keeps the timeout, and records the end as the event
`HookEnded` (exit code, duration, what the hook printed, scrubbed and shortened), whether or not a daemon
runs or is restarted meanwhile. `snaphook log` and the page of the call show it; `async-hooks.log` in our
data folder (`~/.local/share/snaphook`) has the same as text.

When a hook changes a call, the hooks after it see the changed call, and those before it are asked once
more about what it became.
"""

_MATCHERS = """## Matchers

A hook without a matcher, with `""` or with `*` runs on everything. A pattern that cannot be followed is
an error where the file is read.

| pattern | wave | claude | snaphook |
|---|---|---|---|
| `Edit` | that name, in any case | that name | that name |
| `Edit\\|Write` | either | either; `,` separates too | either |
| `Edit*`, `[EW]*`, `{Edit,Write}` | glob | regular expression | glob |
| `/^mcp__/` | regular expression | regular expression, slashes included | regular expression |
| `^Edit$`, `Edit.*` | regular expression | regular expression | regular expression |

A regular expression holds where it is found anywhere in the name; `^` and `$` pin it down.
"""

_CONDITIONS = """## Argument filters

`if` takes one rule about a tool and its arguments. On events without a tool such a hook never runs.

| rule | holds for |
|---|---|
| `Bash(git *)` | a line in which any command is `git`, with or without arguments |
| `Bash(npm run:*)` | the same, in the older spelling |
| `Edit(*.ts)` | Edit, Write, MultiEdit or NotebookEdit of such a file, at any depth |
| `Edit(/src/**)`, `Edit(//etc/**)`, `Read(~/.ssh/**)` | below the project, the root, the home directory |
| `WebFetch(domain:*.example.com)` | a request to such a host |
| `mcp__server`, `mcp__server__*` | every tool of a server |
| `Agent(scout*)` | any other tool, one of whose arguments is such a text |

Commands are found where they run: in pipes and substitutions, behind `sudo`, `xargs` and `bash -c`, in
variables (`X=git; $X push`). A
shell line that cannot be taken apart holds: the hook should see it.
"""


def reference() -> str:
    """Return the page."""
    return "\n".join(
        [
            _INTRO,
            *(_dialect(dialect, RULES[dialect]) for dialect in Dialect),
            _MATCHERS,
            _subjects(),
            _CONDITIONS,
            _documents(),
            _stdin(),
            _variables(),
        ]
    )


def _dialect(dialect: Dialect, rules: Rules) -> str:
    names = [*BY_NAME, *(name for name in HOST_EVENTS if name in rules.rows), "every other event"]
    rows = (
        (name, _effect(name, rules), rules.row(name).stdout)
        for name in names
        if name in rules.rows or name == names[-1]
    )
    also = f" With `jsonOutput: true`: {rules.json_if_asked}."
    asked = "" if rules.json is rules.json_if_asked else also
    order = "side by side, heard in order" if rules.parallel else "one after the other"
    silence = " The first exit 2 silences every other result." if rules.first_stop_silences else ""
    times = "".join(f", {name} {seconds:g} s" for name, seconds in rules.timeouts.items())
    longest = f", at most {rules.longest:g} s" if rules.longest else ""
    place = "the project's folder" if rules.at_project else "the event's working directory"
    return (
        f"## {dialect}\n\n"
        f"- Order: {order}.{silence}\n"
        f"- JSON on stdout: {rules.json}.{asked}\n"
        f"- Timeout: {rules.timeout:g} s{times}{longest}.\n"
        f"- Starts in {place}.\n\n"
        f"{_table(('event', 'exit 2: stderr', 'exit 0: plain stdout'), rows)}"
    )


def _effect(name: str, rules: Rules) -> str:
    effect = rules.row(name).exit_2
    spec = BY_NAME.get(name)
    if effect is not StderrEffect.STOPS or spec is None:
        return effect
    stop = next(verdict for verdict in spec.may_say if verdict.stops)
    return f"**{stop}**; the reason reaches the {_people(spec.reason_to)}"


def _people(recipient: str) -> str:
    return "agent and the user" if recipient == "both" else recipient


def _subjects() -> str:
    old = "; ".join(" = ".join(f"`{name}`" for name in sorted(names)) for names in OLD_NAMES)
    rows = ((name, f"`{field}`") for name, field in SUBJECTS.items())
    return (
        "What a matcher tests depends on the event; events not listed here take none. Names a tool "
        f"has had over time are one: {old}.\n\n{_table(('event', 'tested'), rows)}"
    )


def _documents() -> str:
    def keys(wire: type[Struct]) -> str:
        return ", ".join(f"`{name}`" for name in wire.__struct_encode_fields__)

    return (
        "## JSON on stdout\n\n"
        "The whole of stdout must be one object; with anything beside it, it is plain text. Which "
        "keys mean something depends on the event; a document that cannot be obeyed is told to the "
        "user. `continue: false` stops the call, besides the turn. `decision` is `approve` or "
        "`block`; `permissionDecision` is `allow`, `ask` or `deny`.\n\n"
        f"- Top level: {keys(DocumentWire)}.\n"
        f"- Under `hookSpecificOutput`: {keys(SpecificWire)}.\n"
        f"- In {Dialect.SNAPHOOK} and {Dialect.WAVE} also flat: {keys(FlatWire)}; there "
        "`decision` may be `allow`, `ask` or `deny` too.\n"
    )


def _stdin() -> str:
    rows = [("every event", *_cells(BASE))]
    rows += [(SPECS[kind].name, *_cells(fields)) for kind, fields in FIELDS.items() if fields]
    return (
        "## What a hook reads on stdin\n\n"
        "One JSON object. What the host sent beyond these fields goes along; the payload of a host "
        "event goes along whole.\n\n"
        f"{_table(('event', *Dialect), rows)}"
    )


def _cells(fields: Iterable[Field]) -> tuple[str, ...]:
    fields = tuple(fields)
    return tuple(
        ", ".join(f"`{one.name}`" for one in fields if dialect in one.dialects) or "–"
        for dialect in Dialect
    )


def _variables() -> str:
    rows = [
        (f"`{one.name}`", one.holds, ", ".join(d for d in Dialect if d in one.dialects))
        for one in VARIABLES
    ]
    rows.append(
        (
            f"`{ENV_FILE}`",
            "on SessionStart: a file; `export` lines appended to it reach the agent's shell",
            f"{Dialect.SNAPHOOK}, {Dialect.CLAUDE}",
        )
    )
    return (
        "## What a hook finds in its environment\n\n"
        "Everything the agent's own environment holds, then the settings' `env`, then these. In the "
        "exec form (`args`), `${NAME}` is filled in; there is no shell.\n\n"
        f"{_table(('variable', 'holds', 'dialects'), rows)}"
    )


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = tuple(head)
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
