"""Mathematics in its own room: pure functions over arrays and words. No store, no model, no clock."""
