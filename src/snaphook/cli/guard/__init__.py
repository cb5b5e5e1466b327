"""What the guard makes of a command, and a person's word over it."""
