"""Readers of tables of unknown layout."""
