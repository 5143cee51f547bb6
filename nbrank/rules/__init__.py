"""The rules: each a function of one view of the votes, with its facts next to it."""

# What other folders take, each from its module. Written by docs/scripts/write_doors.py.
# DEFAULT_SECONDS, MAX_PAIRWISE_SYSTEMS, RULES, Accept, AdditiveForm, Anchor, BoundRule, Family,
# Preferences, Rounds, Rule, RuleFunction, RuleLike, TimeLimit, borda, bradley_terry,
# build_ranking, check_single_orientation, copeland, find_unknown_systems, fit_strengths, get_rule,
# join_columns, make_pair_request, mean, mean_win_rate, parse_board_and_rule, parse_votes_and_rule,
# ranks_of_all_systems, rating_transform, stable_sort, sum_by_task, tie_scale, top_ranked
