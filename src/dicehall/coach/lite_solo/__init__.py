"""Knucklebones-lite solo."""
