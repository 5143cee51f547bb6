"""The drawing of a leaderboard."""
