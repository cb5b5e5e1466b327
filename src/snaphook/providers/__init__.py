"""Who has an opinion: each room here holds one or a family of hooks providers."""
