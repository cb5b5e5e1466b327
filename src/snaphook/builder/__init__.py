"""Jobs, tasks, planner, the loop, and drivers for the agents that can be the builder."""
