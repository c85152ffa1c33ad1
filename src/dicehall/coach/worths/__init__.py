"""What positions are worth under perfect play: one file for each game."""
