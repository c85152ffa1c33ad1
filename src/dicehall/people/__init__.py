"""What there is between people: clocks, presence, pairing, ratings. Whoever asks says what time it is."""
