"""The class page: ballots are pasted, and every rule names its winner, in letters for a hall."""

from nbrank.frontends.class_page.class_page import ClassPage

__all__ = ["ClassPage"]
