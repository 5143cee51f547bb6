"""What the leaderboard shows, in words: shared by pictures, reports, explorers and the shell."""

from typing import TYPE_CHECKING

# What other folders take, each from its module. Written by docs/scripts/write_doors.py.
# fmt: off
if TYPE_CHECKING:
    from nbrank.findings.best_set_text import (
        describe_best, describe_confidence, describe_separated_pairs, explain_no_best_set,
        format_confidence, possibly_best,
    )
    from nbrank.findings.context import (
        MAX_BARS, MAX_CHART_SYSTEMS, MAX_CONTENDERS, SEARCH_TIME_LIMIT, ReportContext,
        describe_bars, format_part_of_whole,
    )
    from nbrank.findings.disconnected_groups import groups_apart
    from nbrank.findings.labels import (
        MISSING_DESCRIPTIONS, DisplayNames, abbreviate_labels, agree_verb, capitalize,
        display_message, format_percent, format_range, join_labels, join_rules, label_text,
        label_texts, rule_title, unique_label_texts,
    )
    from nbrank.findings.missing_text import (
        count_missing_scores, describe_missing, describe_missing_runs,
    )
    from nbrank.findings.nearest_weights import NearestWeightsText
    from nbrank.findings.overview import (
        MAX_DEFAULT_RULES, Overview, compute_overview, default_rules, describe_tasks, drop_errors,
        error_reason, non_unique_rules, pairs_fit, task_names, task_noun, task_places,
        without_pairs,
    )
    from nbrank.findings.sample_text import (
        describe_sample, describe_small_sample, how_else, over_what, sampled_unit_name,
    )
    from nbrank.findings.strength_estimates import compute_ratings, default_rule
    from nbrank.findings.suspect_zeros import find_suspect_zeros
    from nbrank.findings.table_changes_text import TableChangesText
    from nbrank.findings.task_removal import describe_task_removal
    from nbrank.findings.verdict import spell_number, verdict, verdicts_by_length

__all__ = [
    "MAX_BARS", "MAX_CHART_SYSTEMS", "MAX_CONTENDERS", "MAX_DEFAULT_RULES", "MISSING_DESCRIPTIONS",
    "SEARCH_TIME_LIMIT", "DisplayNames", "NearestWeightsText", "Overview", "ReportContext",
    "TableChangesText", "abbreviate_labels", "agree_verb", "capitalize", "compute_overview",
    "compute_ratings", "count_missing_scores", "default_rule", "default_rules", "describe_bars",
    "describe_best", "describe_confidence", "describe_missing", "describe_missing_runs",
    "describe_sample", "describe_separated_pairs", "describe_small_sample",
    "describe_task_removal", "describe_tasks", "display_message", "drop_errors", "error_reason",
    "explain_no_best_set", "find_suspect_zeros", "format_confidence", "format_part_of_whole",
    "format_percent", "format_range", "groups_apart", "how_else", "join_labels", "join_rules",
    "label_text", "label_texts", "non_unique_rules", "over_what", "pairs_fit", "possibly_best",
    "rule_title", "sampled_unit_name", "spell_number", "task_names", "task_noun", "task_places",
    "unique_label_texts", "verdict", "verdicts_by_length", "without_pairs",
]
