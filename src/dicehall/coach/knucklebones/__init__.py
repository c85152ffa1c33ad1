"""Classic Knucklebones."""
