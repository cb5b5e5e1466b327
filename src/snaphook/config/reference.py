"""The pages about settings and recipes, made from the tables that read them.

keys, places, recipes  ->  docs/reference/settings.md, docs/how-to/recipes.md
"""

from collections.abc import Iterable

from .keys import FOREIGN_KINDS, HANDLER, NATIVE, PROVIDER, Keys
from .recipes import recipes
from .settings import Dialect
from .settings_files import CLAUDE, CLAUDE_LOCAL, NATIVE_LOCAL, WAVE, WAVE_LOCAL
from .settings_files import NATIVE as NATIVE_FILE

_PLACES = (
    ("managed", f"/etc/snaphook/{NATIVE_FILE}", "", "/etc/claude-code/managed-settings.json"),
    ("user", f"~/.config/snaphook/{NATIVE_FILE}", f"~/{WAVE}", f"~/{CLAUDE}"),
    ("project", NATIVE_FILE, WAVE, CLAUDE),
    ("local", NATIVE_LOCAL, WAVE_LOCAL, CLAUDE_LOCAL),
)

_SETTINGS = """\
# Settings

Every file that is there counts; the lowest layer comes first. Hooks add up and never replace each
other. Plain values go to the highest layer that may set them. A project's root is the nearest
folder, upwards, that holds one of the project's files or `.git`.

| layer | snaphook | wave | claude |
|---|---|---|---|
{places}
`XDG_CONFIG_HOME` and `CLAUDE_CONFIG_DIR` move the user's files; on macOS the managed ones are in
`/Library/Application Support`. Files of the project and local layers need
[approval](../how-to/trust.md) before anything in them runs. `snaphook check` finds mistakes,
`snaphook hooks` shows what is in force.

## The native file

{native}
Other tables (`[guard]` and so on) [stand below](#the-tables-of-other-parts).

### `[[hooks.EVENT]]`

{native_hook}
The nested form of the claude dialect (a matcher in `[[hooks.EVENT]]`, its hooks in
`[[hooks.EVENT.hooks]]` below) is read, too.

### `[providers.NAME]`

{provider}
```toml
[providers.audit]
use = "acme.audit:Audit"    # module:attribute
stance = "closed"           # its failure stops the call

[providers.audit.options]
endpoint = "http://localhost:9000"
```

A module of the project itself is found beside the settings file or in `src/`. Installed packages
offer providers as entry points of the group `snaphook.providers`; then `use` is the entry point's
name.

## The claude dialect

```json
{{"hooks": {{"PreToolUse": [{{"matcher": "Bash", "hooks": [
  {{"type": "command", "command": "$CLAUDE_PROJECT_DIR/.claude/hooks/check.sh", "timeout": 10}}
]}}]}}}}
```

{claude}
Hooks of the types {foreign} are kept and left to Claude Code. `env`, `disableAllHooks` and, in
managed settings, `allowManagedHooksOnly` are obeyed.

## The wave dialect

The same shape, with these keys.

{wave}"""

_RECIPES = """\
# Use ready-made hooks

A recipe is a hook that needs no script of yours.

```sh
snaphook recipes list
snaphook recipes show python-lint
snaphook recipes add python-lint git-context
snaphook recipes add notify-done --dialect claude --user
```

`add` writes to `snaphook.toml` and keeps its comments; `--dialect claude` or `wave` writes to that
host's settings instead, `--user` to your own. Adding twice is adding once. Where the program that
a recipe needs is not installed, the hook prints a warning and lets the call continue.

## Writing your own

The event comes as JSON on stdin. `snaphook field` takes one value out of it, so `jq` is not
needed: a dotted path (`tool_input.command`), or one of `file`, `command`, `prompt`, `content`,
which look wherever hosts keep them. It exits with 1 where there is nothing.

```sh
f=$(snaphook field file) || exit 0
case "$f" in *.py) ;; *) exit 0 ;; esac
ruff check "$f" >&2 || exit 2     # exit 2: the agent reads stderr
```

{tables}"""


def reference() -> str:
    """Return the page about the settings."""
    return _SETTINGS.format(
        places="".join(_place(*row) for row in _PLACES),
        native=_table(NATIVE),
        native_hook=_table(HANDLER[Dialect.SNAPHOOK]),
        provider=_table(PROVIDER),
        claude=_table(HANDLER[Dialect.CLAUDE]),
        wave=_table(HANDLER[Dialect.WAVE]),
        foreign=", ".join(f"`{kind}`" for kind in FOREIGN_KINDS),
    )


def recipes_page() -> str:
    """Return the page about recipes, with a table for each topic."""
    topics: dict[str, list[str]] = {}
    for recipe in recipes().values():
        needs = f"`{recipe.needs}`" if recipe.needs else "–"
        row = f"| `{recipe.name}` | {recipe.what} | {recipe.event} | {needs} |\n"
        topics.setdefault(recipe.topic, []).append(row)
    return _RECIPES.format(tables="\n".join(_topic(*item) for item in topics.items()))


def _topic(topic: str, rows: Iterable[str]) -> str:
    head = "| recipe | what it does | event | needs |\n|---|---|---|---|\n"
    return f"## {topic}\n\n{head}{''.join(rows)}"


def _place(layer: str, *files: str) -> str:
    cells = " | ".join(f"`{file}`" if file else "–" for file in files)
    return f"| {layer} | {cells} |\n"


def _table(keys: Keys) -> str:
    rows = []
    for key in keys.values():
        kind = " or ".join(f"`{choice}`" for choice in key.choices) or str(key.kind)
        rows.append(f"| `{key.name}` | {kind} | {key.meaning} |\n")
    return "| key | value | meaning |\n|---|---|---|\n" + "".join(rows)
