"""The guard's rules as a reference page.

RULES  ->  docs/reference/guard-rules.md
"""

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.pages import Example, examples, sentence
from snaphook.providers.guard.rules.rule import Rule
from snaphook.providers.guard.rules.table import RULES

_SAYS = {
    GuardAnswer.DENY: "blocks",
    GuardAnswer.ASK: "asks",
    GuardAnswer.WARN: "warns",
    GuardAnswer.ALLOW: "allows",
}
_HEAD = """# The guard's rules

What the guard objects to, and what it lets through. Each rule is one line to change:

```toml
[guard.rules]
"delete.sources" = "off"     # or "ask", "deny"
```

The examples are run as tests. `snaphook explain "COMMAND"` shows which rule speaks, and why.
Two more answers come from no rule: `limit` (the command goes beyond what the guard follows) and
`failure` (the guard failed inside). Both deny.

"""


def guard_rules() -> str:
    """Return the page: a table of all rules, then each with its examples."""
    rows = "".join(
        f"| [`{rule.id}`](#{_anchor(rule)}) | {_answer(rule)} | {rule.says} |\n" for rule in RULES
    )
    table = f"| rule | answer | a command that … |\n|---|---|---|\n{rows}\n"
    return _HEAD + table + "\n".join(_page(rule) for rule in RULES)


def _anchor(rule: Rule) -> str:
    return rule.id.replace(".", "")


def _answer(rule: Rule) -> str:
    return "off" if rule.optional else rule.answer.name.lower()


def _page(rule: Rule) -> str:
    optional = " Off until a setting turns it on." if rule.optional else ""
    lines = [
        f"## {rule.id}",
        "",
        f"{_SAYS[rule.answer].capitalize()} a command that {rule.says}: {rule.why}.{optional}",
        "",
        f"{sentence(rule)} {rule.instead}".strip(),
        "",
        "```text",
        *(example_line(example) for example in examples(rule)),
        "```",
        "",
    ]
    return "\n".join(lines)


def example_line(example: Example) -> str:
    """Return *example* with what the guard says in front."""
    first, *rest = example.command.splitlines()
    return "\n".join([f"{_SAYS[example.answer]:7} {first}", *(f"        {line}" for line in rest)])
