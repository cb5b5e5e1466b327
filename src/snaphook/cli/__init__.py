"""One file per command, each a thin layer over the packages below."""
