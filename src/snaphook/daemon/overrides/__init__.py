"""Overrides in the daemon: a person asks, proves who they are, and is granted what they asked for."""
