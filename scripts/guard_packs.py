"""The guard's packs, and the choices where guards disagree, as pages.

RULES, CHOICES  ->  docs/reference/guard-packs.md, docs/how-to/guard-choices.md
"""

import inspect
from itertools import groupby

from guard_rules import example_line

from snaphook.providers.guard.choices import CHOICES, Choice
from snaphook.providers.guard.rules.pages import examples, summary
from snaphook.providers.guard.rules.rule import Rule
from snaphook.providers.guard.rules.table import RULES
from snaphook.providers.guard.settings import PRODUCTION

_PACKS = """# Packs

The guard's [rules](guard-rules.md) stop what destroys and let a day's work pass. A pack is for those
who want to be asked about more: it is off until `packs` names it.

```toml
[guard]
packs = ["kubernetes", "databases"]
production = ["*prod*", "live"]     # names that mean production
```

In every pack calls that only look pass, as do rehearsals (`--dry-run`, `-WhatIf`, `plan`, `preview`,
`--check`) and `--help`. What a pack asks about can be changed like any other rule: by its id under
`[guard.rules]`, or for some calls only by a [rule of your own](../how-to/guard-rules-of-your-own.md).

Some packs refuse changes in **production**. What counts as production is told by names: of a context,
namespace, profile, project, subscription, workspace, stack, host or database, as an option
(`--context`, `--profile`, `-n`, `-h` …), a variable (`KUBECONFIG`, `AWS_PROFILE`, `PGHOST`,
`DATABASE_URL` …), an address, or what the tool keeps as its current context (`~/.kube/config`,
`.terraform/environment`, Docker's). The setting `production` holds the names; by itself:
{production}.

Each pack is tested with a list of at least thirty commands that it must stop and thirty that must pass.

{table}
"""
_CHOICES = """# Where guards disagree

Teams differ on these, and so do guards. What ours says by itself, and the one line that changes it:

| command | by itself | why | one line | then |
|---|---|---|---|---|
{rows}
Lines that begin with a quote go under `[guard.rules]`, the others under `[guard]`:

```toml
[guard]
allow = ["docker system prune*", "terraform destroy*"]

[guard.rules]
"git.push-lease" = "ask"
```

Every line of the table is tried out in a test. For anything finer (only in this folder, only for that
agent) write a [rule of your own](guard-rules-of-your-own.md).
"""


def guard_packs() -> str:
    """Return the page about packs."""
    packed = sorted((rule for rule in RULES if rule.pack), key=lambda rule: rule.pack)
    grouped = [(pack, list(rules)) for pack, rules in groupby(packed, key=lambda rule: rule.pack)]
    rows = "".join(
        f"| [`{pack}`](#{pack}) | {', '.join(f'`{one.id}` ({one.answer.name.lower()})' for one in rules)} |\n"
        for pack, rules in grouped
    )
    page = _PACKS.format(
        production=", ".join(f"`{name}`" for name in PRODUCTION),
        table=f"| pack | rules |\n|---|---|\n{rows}",
    )
    return page + "\n".join(_pack(pack, rules) for pack, rules in grouped)


def guard_choices() -> str:
    """Return the page about what guards disagree on."""
    return _CHOICES.format(rows="".join(map(_choice, CHOICES)))


def _pack(pack: str, rules: list[Rule]) -> str:
    home = inspect.getmodule(rules[0].objects_to)
    about = inspect.cleandoc((home.__doc__ if home else "") or "").splitlines()[0]
    if pack == "bb5":
        about = "For a planner and executors that share a workspace."
    parts = [f"## {pack}\n\n{about.partition(': ')[2].capitalize() or about}\n"]
    return "\n".join([*parts, *map(_rule, rules)])


def _rule(rule: Rule) -> str:
    shown = "\n".join(example_line(one) for one in examples(rule))
    return f"**`{rule.id}`**: {summary(rule)}\n\n```text\n{shown}\n```\n"


def _choice(choice: Choice) -> str:
    cells = (f"`{choice.command}`", choice.says, choice.why, f"`{choice.line}`", choice.becomes)
    return f"| {' | '.join(cells)} |\n"
