"""The methods of each source of votes. Written by docs/scripts/write_method_stubs.py."""

from nbrank.charts.board_drawing import drawing
from nbrank.comparison import (
    pairwise_wins,
    recommendation,
    rules_side_by_side,
    rules_within_groups,
    table_changes,
)
from nbrank.frontends import paper_summary
from nbrank.frontends.report_page import assembly
from nbrank.frontends.workbench import explorer
from nbrank.robustness import (
    cherry_picking,
    random_weights,
    rank_bounds,
    shapley_values,
    single_removals,
    task_subsets,
    victory_margins,
    weight_regions,
    winning_weights,
)
from nbrank.rules import (
    depth_rules,
    elimination,
    geometric,
    interquartile,
    kemeny_rule,
    majority,
    majority_searches,
    means,
    normalized_means,
    paired_comparison,
    place_averages,
    point_vectors,
    positional_rules,
)
from nbrank.uncertainty import (
    best_sets,
    cell_errors,
    mean_rank_tests,
    pair_intervals,
    rank_sets,
    resampled_ranks,
    score_uncertainty,
    strength_intervals,
    tied_groups,
)

class _LeaderboardAndTallyAndComparisonsMethods:
    best_set = best_sets.best_set
    bootstrap = resampled_ranks.bootstrap
    borda = positional_rules.borda
    bradley_terry = paired_comparison.bradley_terry
    compare = rules_side_by_side.compare
    compared = pairwise_wins.compared
    condorcet = majority.condorcet
    confidence = pair_intervals.confidence
    copeland = majority.copeland
    davidson = paired_comparison.davidson
    kemeny = kemeny_rule.kemeny
    maximal_lotteries = majority_searches.maximal_lotteries
    mean_win_rate = place_averages.mean_win_rate
    minimax = majority.minimax
    pairwise = pairwise_wins.pairwise
    picture = drawing.picture
    rank_confidence = rank_sets.rank_confidence
    ranked_pairs = majority_searches.ranked_pairs
    schulze = majority.schulze
    significant_pairs = tied_groups.significant_pairs
    summary = paper_summary.summary
    tie_groups = tied_groups.tie_groups
    winners = rules_side_by_side.winners

class _LeaderboardAndComparisonsMethods:
    explore = explorer.explore
    margin_of_victory = victory_margins.margin_of_victory
    recommend = recommendation.recommend
    report = assembly.report
    strengths = strength_intervals.strengths
    unseat = cherry_picking.unseat
    win_probabilities = strength_intervals.win_probabilities

class _LeaderboardAndTallyMethods:
    mean = means.mean
    mean_rank = place_averages.mean_rank

class LeaderboardMethods(
    _LeaderboardAndTallyAndComparisonsMethods,
    _LeaderboardAndComparisonsMethods,
    _LeaderboardAndTallyMethods,
):
    antiplurality = positional_rules.antiplurality
    baldwin = elimination.baldwin
    binomial_errors = cell_errors.binomial_errors
    bucklin = depth_rules.bucklin
    central_weights = random_weights.central_weights
    changes = table_changes.changes
    cherry_pick = cherry_picking.cherry_pick
    cherry_picking_curve = cherry_picking.cherry_picking_curve
    condorcet_weights = winning_weights.condorcet_weights
    coombs = elimination.coombs
    core_tasks = task_subsets.core_tasks
    critical_difference = mean_rank_tests.critical_difference
    dowdall = positional_rules.dowdall
    explain_change = table_changes.explain_change
    geometric_mean = geometric.geometric_mean
    harmonic_mean = means.harmonic_mean
    instant_runoff = elimination.instant_runoff
    interquartile_mean = interquartile.interquartile_mean
    leave_one_out = single_removals.leave_one_out
    median = means.median
    nanson = elimination.nanson
    normalized_mean = normalized_means.normalized_mean
    optimality_gap = normalized_means.optimality_gap
    pairwise_p_values = mean_rank_tests.pairwise_p_values
    plurality = positional_rules.plurality
    positional = point_vectors.positional
    possible_ranks = rank_bounds.possible_ranks
    probability_of_improvement = pairwise_wins.probability_of_improvement
    rank_acceptability = random_weights.rank_acceptability
    repeated_tasks = shapley_values.repeated_tasks
    score_intervals = score_uncertainty.score_intervals
    task_influence = shapley_values.task_influence
    threshold = elimination.threshold
    two_step = rules_within_groups.two_step
    variance_split = score_uncertainty.variance_split
    weight_map = weight_regions.weight_map

class TallyMethods(_LeaderboardAndTallyAndComparisonsMethods, _LeaderboardAndTallyMethods):
    pass

class ComparisonsMethods(
    _LeaderboardAndTallyAndComparisonsMethods, _LeaderboardAndComparisonsMethods
):
    elo = paired_comparison.elo
