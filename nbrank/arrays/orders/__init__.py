"""Orders as arrays: majority graphs, linear orders, exact searches."""
