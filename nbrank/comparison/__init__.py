"""Comparisons of rules and of pairs of systems."""
