"""Tables of scores: names, options, checks."""
