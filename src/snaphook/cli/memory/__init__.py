"""What agents learn, kept and asked for again."""
