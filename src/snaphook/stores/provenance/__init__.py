"""Where the texts that a session read came from: keyed fingerprints per session, never the texts."""
