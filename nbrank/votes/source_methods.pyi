"""The methods of each source of votes. Written by docs/scripts/write_method_stubs.py."""

import nbrank
from nbrank.frontends import paper_summary
from nbrank.frontends.report_page import assembly
from nbrank.frontends.workbench import explorer

class _LeaderboardAndTallyAndComparisonsMethods:
    best_set = nbrank.best_set
    bootstrap = nbrank.bootstrap
    borda = nbrank.borda
    bradley_terry = nbrank.bradley_terry
    compare = nbrank.compare
    compared = nbrank.compared
    condorcet = nbrank.condorcet
    confidence = nbrank.confidence
    copeland = nbrank.copeland
    davidson = nbrank.davidson
    kemeny = nbrank.kemeny
    maximal_lotteries = nbrank.maximal_lotteries
    mean_win_rate = nbrank.mean_win_rate
    minimax = nbrank.minimax
    pairwise = nbrank.pairwise
    picture = nbrank.picture
    rank_confidence = nbrank.rank_confidence
    ranked_pairs = nbrank.ranked_pairs
    schulze = nbrank.schulze
    significant_pairs = nbrank.significant_pairs
    summary = paper_summary.summary
    tie_groups = nbrank.tie_groups
    winners = nbrank.winners

class _LeaderboardAndComparisonsMethods:
    explore = explorer.explore
    margin_of_victory = nbrank.margin_of_victory
    recommend = nbrank.recommend
    report = assembly.report
    strengths = nbrank.strengths
    unseat = nbrank.unseat
    win_probabilities = nbrank.win_probabilities

class _LeaderboardAndTallyMethods:
    mean = nbrank.mean
    mean_rank = nbrank.mean_rank

class LeaderboardMethods(
    _LeaderboardAndTallyAndComparisonsMethods,
    _LeaderboardAndComparisonsMethods,
    _LeaderboardAndTallyMethods,
):
    antiplurality = nbrank.antiplurality
    baldwin = nbrank.baldwin
    binomial_errors = nbrank.binomial_errors
    bucklin = nbrank.bucklin
    central_weights = nbrank.central_weights
    changes = nbrank.changes
    cherry_pick = nbrank.cherry_pick
    cherry_picking_curve = nbrank.cherry_picking_curve
    condorcet_weights = nbrank.condorcet_weights
    coombs = nbrank.coombs
    core_tasks = nbrank.core_tasks
    critical_difference = nbrank.critical_difference
    dowdall = nbrank.dowdall
    explain_change = nbrank.explain_change
    geometric_mean = nbrank.geometric_mean
    harmonic_mean = nbrank.harmonic_mean
    instant_runoff = nbrank.instant_runoff
    interquartile_mean = nbrank.interquartile_mean
    leave_one_out = nbrank.leave_one_out
    median = nbrank.median
    nanson = nbrank.nanson
    normalized_mean = nbrank.normalized_mean
    optimality_gap = nbrank.optimality_gap
    pairwise_p_values = nbrank.pairwise_p_values
    plurality = nbrank.plurality
    positional = nbrank.positional
    possible_ranks = nbrank.possible_ranks
    probability_of_improvement = nbrank.probability_of_improvement
    rank_acceptability = nbrank.rank_acceptability
    repeated_tasks = nbrank.repeated_tasks
    score_intervals = nbrank.score_intervals
    task_influence = nbrank.task_influence
    threshold = nbrank.threshold
    two_step = nbrank.two_step
    variance_split = nbrank.variance_split
    weight_map = nbrank.weight_map

class TallyMethods(_LeaderboardAndTallyAndComparisonsMethods, _LeaderboardAndTallyMethods):
    pass

class ComparisonsMethods(
    _LeaderboardAndTallyAndComparisonsMethods, _LeaderboardAndComparisonsMethods
):
    elo = nbrank.elo
