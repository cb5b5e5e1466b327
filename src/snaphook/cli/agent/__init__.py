"""Our own agent at the terminal."""
