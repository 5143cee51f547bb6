"""Readers of the formats of hosts of leaderboards."""
