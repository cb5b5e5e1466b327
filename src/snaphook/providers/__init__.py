"""Who has an opinion: each package here holds one or a family of hooks providers."""
