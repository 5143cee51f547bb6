"""Votes: scores, their counts, or comparisons, and the views of them that rules work on."""
