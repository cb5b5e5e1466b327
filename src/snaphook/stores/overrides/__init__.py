"""What a person allowed although the guard would stop it, and how they proved that they are a person."""
