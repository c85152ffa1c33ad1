"""What perfect play of each game ends with: how often each result."""
