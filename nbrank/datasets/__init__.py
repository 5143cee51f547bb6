"""Leaderboards to try things on: `load_*` ship with the package, `fetch_*` are downloaded once."""

from nbrank.datasets.cache import DataUnavailableError

__all__ = ["DataUnavailableError"]
