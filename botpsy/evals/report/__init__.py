"""Runs for people: Markdown, one HTML page, and pictures where matplotlib is installed."""
