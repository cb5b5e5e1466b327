"""The file that ``snaphook init`` writes: every line of it is a comment or correct."""

STARTER = """\
#:schema https://raw.githubusercontent.com/snaphook/snaphook/main/schemas/settings.schema.json
# Snaphook's settings for this project. Approve them before they take effect: snaphook trust
# Validate: snaphook check.   List active hooks: snaphook hooks.   Offline schema: snaphook schema.

# How decisions are combined: "strictest" (deny over ask over allow) or "first".
# strategy = "strictest"

# How often in a row hooks may block a Stop.
# stop_block_cap = 5

# A hook is a command that runs when its event happens (snaphook events lists them).
# Exit 0: continue. Exit 2: block the call; the agent reads your stderr. The event is passed as JSON
# on stdin; 'snaphook field file' reads a value from it.
#
# [[hooks.PostToolUse]]
# name = "lint"
# matcher = "Edit|Write"
# command = 'f=$(snaphook field file) || exit 0; ruff check "$f" >&2 || exit 2'
# timeout = 30

# Ready-made hooks: snaphook recipes list, then: snaphook recipes add python-lint

# A provider is Python code that decides: 'module:attribute', or the name of an installed plugin.
#
# [providers.mine]
# use = "my_package.rules:Mine"
# stance = "closed"              # if it fails: "open" allows the call, "closed" denies it
# options = { level = "high" }
"""
