"""The agents that can be the planner or the builder, one module each."""
