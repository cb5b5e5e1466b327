"""The file that ``snaphook init`` writes: every line of it is a comment or correct."""

STARTER = """\
# Snaphook's settings for this project. They count once you approved them: snaphook trust
# Find mistakes: snaphook check.   See what is in force: snaphook hooks.
# A key that does not exist, or a value of the wrong kind, is found by snaphook check.

# How several answers become one: "strictest" (deny beats ask beats allow) or "first".
# strategy = "strictest"

# How often in a row a hook may send the agent back to work when it wants to stop.
# stop_block_cap = 5

# A hook is a command that runs when its event happens (snaphook events lists them).
# Exit 0: fine. Exit 2: stop the call, and the agent reads your stderr. The event comes as JSON on
# stdin; 'snaphook field file' takes a value out of it.
#
# [[hooks.PostToolUse]]
# name = "lint"
# matcher = "Edit|Write"
# command = 'f=$(snaphook field file) || exit 0; ruff check "$f" >&2 || exit 2'
# timeout = 30

# Ready-made hooks: snaphook recipes list, then: snaphook recipes add python-lint

# A provider is Python code with an opinion: 'module:attribute', or an installed plugin's name.
#
# [providers.mine]
# use = "my_package.rules:Mine"
# stance = "closed"              # what its failure means: "open" goes on, "closed" stops the call
# options = { level = "high" }
"""
