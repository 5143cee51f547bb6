"""Uncertainty as arrays: tests, confidence sets, resampling."""
