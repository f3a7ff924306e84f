"""Families of scenarios, one module per domain; see docs/worlds.md."""
