"""What agents learn: retained, recalled, reflected upon."""
