"""What one asks beside who wins: how sure, against whom, under which weights."""
