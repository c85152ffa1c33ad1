"""Knucklebones-lite versus."""
