"""The methods of each source of votes, as type checkers and completion see them.

At run time `MethodsMixin` finds a method when it is asked for, so these classes are empty. The stub
next to this file lists the methods, those that several sources have only once;
docs/scripts/write_method_stubs.py writes it.
"""


class LeaderboardMethods:
    """The public functions that are methods of a `Leaderboard`."""


class TallyMethods:
    """The public functions that are methods of a `Tally`."""


class ComparisonsMethods:
    """The public functions that are methods of `Comparisons`."""
