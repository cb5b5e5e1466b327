"""The table of rules, as the reference page prints it.

RULES  ->  Markdown
"""

from .rules import RULES

PERSONAL = (
    ("email", "[EMAIL:…]", "e-mail addresses, international ones too"),
    ("phone", "[PHONE:…]", "telephone numbers with a country code, and North American ones"),
    ("card", "[CARD:…]", "payment cards: a known network, its length, the check digit (Luhn)"),
    ("iban", "[IBAN:…]", "bank accounts: a known country, its length, the check digits"),
    ("ssn", "[SSN:…]", "US social security numbers"),
    ("ip", "[IP:…]", "public IPv4 and IPv6 addresses; private and reserved ones stay"),
)
"""Each kind of personal data: its name, its placeholder, what it covers."""


def reference() -> str:
    """Return the rules as two Markdown tables: personal data, then secrets."""
    personal = [f"| `{kind}` | `{mark}` | {what} |" for kind, mark, what in PERSONAL]
    secrets = [
        f"| `{rule.id}` | {rule.what} | {', '.join(f'`{word}`' for word in rule.keywords)} |"
        for rule in RULES
    ]
    return "\n".join(
        (
            "## Personal data\n",
            "| kind | placeholder | covers |",
            "|---|---|---|",
            *personal,
            f"\n## Secrets: {len(RULES)} rules\n",
            "| rule | what it is | looked at where this occurs |",
            "|---|---|---|",
            *secrets,
            "",
        )
    )
