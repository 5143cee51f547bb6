"""What the leaderboard shows, in words: shared by pictures, reports, explorers and the shell."""
