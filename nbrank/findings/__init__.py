"""What the leaderboard shows, in words: shared by pictures, reports, explorers and the shell."""

# What other folders take, each from its module. Written by docs/scripts/write_doors.py.
# MAX_DEFAULT_RULES, MISSING_DESCRIPTIONS, DisplayNames, NearestWeightsText, Overview,
# TableChangesText, abbreviate_labels, agree_verb, capitalize, choose_rule, compute_overview,
# compute_ratings, count_missing_scores, default_rules, describe_best, describe_confidence,
# describe_missing, describe_missing_runs, describe_possible_winners, describe_sample,
# describe_score, describe_separated_pairs, describe_small_sample, describe_task_removal,
# describe_tasks, display_message, error_reason, explain_no_best_set, find_suspect_zeros,
# format_confidence, format_percent, format_range, format_ranks, format_score_column, groups_apart,
# how_else, join_labels, join_rules, label_text, over_what, pairs_fit, possibly_best, rule_title,
# sampled_unit_name, task_names, task_noun, task_places, unique_label_texts, verdict,
# verdict_and_heading, verdicts_by_length, without_pairs
