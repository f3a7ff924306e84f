"""Simulated environments: memory services, a seed, a scenario, and a check of what was done.

``registry.scenario(name, seed)`` gives a ``Scenario``; ``episode.run`` lets an agent live through
it; ``judge.judge`` says whether it did what was asked, and nothing else. How to write a family of
scenarios is in docs/worlds.md.
"""
