"""The rules: each a function of one view of the votes, with what is known of it beside it."""

# All majority rules at once: rules and methods are listed in the order of their definition.
from nbrank.rules import majority_searches as majority_searches
