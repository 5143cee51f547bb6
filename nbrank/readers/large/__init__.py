"""Readers of long tables larger than memory."""
