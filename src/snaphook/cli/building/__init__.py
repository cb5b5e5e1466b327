"""Jobs: planned, built, told about."""
