"""What is ranked: scores, their counts, or comparisons, and the views that rules have of them."""
