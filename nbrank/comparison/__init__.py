"""Comparisons of rules and of pairs of systems."""

# What other folders take, each from its module. Written by docs/scripts/write_doors.py.
# STEPS, BoardPair, PublishedRanks, RuleList, RuleRefusedWarning, compared, drop_published_ranks,
# label_rules, missing_option, pairwise, rank_by_missing_treatment, resolve_rules,
# select_table_options, stack_pairs
