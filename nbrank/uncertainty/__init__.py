"""Questions about how sure ranks, scores and pairs are."""
