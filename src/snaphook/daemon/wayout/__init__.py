"""The way out: a person lifts what the guard stopped, and an agent cannot."""
