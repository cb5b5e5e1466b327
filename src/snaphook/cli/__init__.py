"""One file per command, each a thin sentence over the rooms below."""
