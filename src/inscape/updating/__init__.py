"""How memory changes: records in, plans (`Changes`) out. Only `pipeline` commits them."""
