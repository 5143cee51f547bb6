"""The rules: each a function of one view of the votes, with what is known of it beside it."""
