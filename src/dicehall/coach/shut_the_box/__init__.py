"""Shut the Box."""
