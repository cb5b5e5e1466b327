"""AgentDojo, played by an agent that obeys every injection it reads."""
