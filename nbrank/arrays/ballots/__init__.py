"""Ballots as arrays: places, points, pairwise counts."""
