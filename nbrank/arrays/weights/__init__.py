"""Weights of tasks as arrays: polytopes, subsets, extreme ranks."""
