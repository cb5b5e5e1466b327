"""``snaphook sandbox``: confine a command, try one, say what this machine can enforce."""
