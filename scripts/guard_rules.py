"""The guard's rules as a reference page.

RULES  ->  docs/reference/guard-rules.md
"""

from snaphook.providers.guard.rules.pages import EXAMPLE, Example, examples, summary
from snaphook.providers.guard.rules.rule import Rule
from snaphook.providers.guard.rules.table import RULES

_HEAD = """# Guard rules

What the guard blocks, asks about and allows. To disable a rule (a false positive) or change its answer:

```toml
[guard.rules]
"delete.sources" = "off"     # or "warn", "ask", "deny"
```

`snaphook explain "COMMAND"` shows which rule decides, and why. To allow single commands instead (an
allowlist, or whitelist), see [the guard](../how-to/guard.md). The examples on this page are run as tests.

Two answers come from no rule: `limit` (the command is too large to evaluate) and `failure` (an internal
error of the guard). Both deny.

"""


def guard_rules() -> str:
    """Return the page: a table of all rules, then each with its examples."""
    rows = "".join(
        f"| [`{rule.id}`](#{_anchor(rule)}) | {_answer(rule)} | {rule.says} |\n" for rule in RULES
    )
    table = f"| rule | answer | commands that … |\n|---|---|---|\n{rows}\n"
    return _HEAD + table + "\n".join(_page(rule) for rule in RULES)


def _anchor(rule: Rule) -> str:
    return rule.id.replace(".", "")


def _answer(rule: Rule) -> str:
    return "off" if rule.optional else rule.answer.name.lower()


def _page(rule: Rule) -> str:
    lines = [
        f"## {rule.id}",
        "",
        summary(rule),
        "",
        *([f"Instead: {rule.instead}", ""] if rule.instead else []),
        "```text",
        *(example_line(example) for example in examples(rule)),
        "```",
        "",
    ]
    return "\n".join(lines)


def example_line(example: Example) -> str:
    """Return *example* with the guard's answer in front."""
    first, *rest = example.command.splitlines()
    return "\n".join(
        [f"{EXAMPLE[example.answer]:7} {first}", *(f"        {line}" for line in rest)]
    )
