"""What agents share: tasks, runs, who is at work."""
