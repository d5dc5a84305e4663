"""From a question to evidence. Each strategy takes a store and returns a `Recall`; none writes."""
