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


_INTRODUCTION = """\
# Scrubbing

Before anything is kept or sent, secrets and personal data are taken out of it. In their place stands
a mark that is the same for the same value as long as the salt is the same, so that logs can still be
joined: `[EMAIL:3fa9c1d2]`, `[REDACTED:github-pat:07be21aa]`. Only someone who has the salt could check
a guess at what it was.

```python
from snaphook.scrub import Scrubber, scan_file_for_secrets

scrubber = Scrubber()
scrubber.text("mail ada@example.org")  # 'mail [EMAIL:…]'
scrubber.scrub({"password": "hunter2"})  # {'password': '[REDACTED:password:…]'}
scan_file_for_secrets("notes.md")  # [SecretMatch(line=3, column=7, …)]
```

- Texts, bytes, lists, tuples, sets and tables are gone through, the keys of tables too; a key tells
  what its value is. Cycles stay cycles. What lies deeper than 200 levels is replaced as a whole.
- Where there is nothing to scrub you get the same object back.
- `allow` names values that stay: exact texts, or `/regular expressions/` that match the whole value.
- `salt=load_salt(path)` keeps the salt in a file that only its owner can read; without it, marks can
  be joined as long as the process lives.
- Obvious examples (`YOUR_API_KEY`, `<token>`, `${TOKEN}`), code that passes secrets along
  (`password=password`), hashes in lock files, UUIDs and commit ids are left alone.

A text is read once, by one expression for all rules (RE2, whose time grows with the length of the text
and no faster); a rule is tried only where that finds its keyword and what must follow it. Of a command every
option counts, also on the lines that continue it. Scrubbing what was scrubbed changes nothing.

A value that nothing gives away (a password in a sentence, a token without a mark or a name) is not found.

"""


def reference() -> str:
    """Return the page: what scrubbing does, then personal data and secrets as tables."""
    personal = [f"| `{kind}` | `{mark}` | {what} |" for kind, mark, what in PERSONAL]
    secrets = [f"| `{rule.id}` | {rule.what} | {_words(rule.keywords)} |" for rule in RULES]
    return _INTRODUCTION + "\n".join(
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


def _words(keywords: tuple[str, ...]) -> str:
    shown = ", ".join(f"`{word}`" for word in keywords[:_SHOWN])
    return shown + (" …" if len(keywords) > _SHOWN else "")


_SHOWN = 6
