"""One file per kind of board: `picture` (the facts of a position) and `preview` (what a move would bring)."""
