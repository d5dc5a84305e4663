"""Words, sentences, dates and cues, shared by search and by every rule."""
