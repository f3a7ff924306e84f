"""Corpora, worlds and generators -> training conversations and tasks. Needs the ``data`` extra."""
