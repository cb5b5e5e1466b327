"""The reference agent: messages, tools, models, and the places where hooks really fire."""
