"""The second floor: a validated leaderboard in, a labelled frame out."""
