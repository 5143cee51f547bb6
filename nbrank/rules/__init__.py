"""The rules: each a function of one view of the votes, with its facts next to it."""

# All majority rules at once: rules and methods are listed in the order of their definition.
from nbrank.rules import majority_searches as majority_searches
