"""What there is between people: clocks, presence, pairing, ratings. Pure functions: whoever asks says what time it is."""
