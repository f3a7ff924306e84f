"""Whatever completes a chat. ``load(name)`` turns a model's name into an engine."""
