"""Questions about other weights and other sets of tasks."""
