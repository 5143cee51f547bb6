"""The methods of each source of votes. Written by docs/scripts/write_method_stubs.py."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Unpack

import pandas as pd

from nbrank.arrays.ballots.profile import Missing, Ties
from nbrank.charts.board_drawing.saved_drawing import Drawing
from nbrank.comparison.recommendation import Recommendation
from nbrank.comparison.rules_side_by_side import RuleList
from nbrank.frontends.paper_summary import Summary
from nbrank.frontends.report_page.page import Report
from nbrank.frontends.workbench.workbench import Workbench
from nbrank.robustness.weight_constraints import Bounds, LabelPairs, Selection
from nbrank.rules.kemeny_rule import Accept
from nbrank.rules.rating_scale import Anchor
from nbrank.rules.registry import RuleLike
from nbrank.uncertainty.cell_errors import OverErrors
from nbrank.uncertainty.mean_rank_tests import PostHoc
from nbrank.uncertainty.pair_intervals import Interval
from nbrank.uncertainty.sampling_design import ResampledUnit, UnitKind
from nbrank.uncertainty.strength_intervals import ErrorEstimate
from nbrank.votes.formatting import Label
from nbrank.votes.leaderboard import Leaderboard
from nbrank.votes.table.row_levels import Clusters
from nbrank.votes.table.task_options import (
    Groups,
    LowerIsBetter,
    PerTask,
    PickOptions,
    RankBoundOptions,
    RuleOptions,
    TableOptions,
    Weights,
)
from nbrank.votes.table.validation import PairOptions, PlaceOptions

class _LeaderboardAndTallyAndComparisonsMethods:
    def best_set(
        self,
        rule: RuleLike | None = None,
        *,
        delta: float = 0.05,
        over: ResampledUnit | OverErrors | None = None,
        errors: pd.DataFrame | None = None,
        draws: UnitKind | None = None,
        cluster: Clusters = None,
        seed: int | None = 0,
        n_draws: int = 10000,
        **options: Unpack[RuleOptions],
    ) -> pd.DataFrame:
        """Which systems may be the best, given that the tasks are only some of those there could be?"""
    def bootstrap(
        self,
        rule: RuleLike,
        *,
        over: ResampledUnit | OverErrors | None = None,
        n_draws: int = 1000,
        seed: int | None = 0,
        delta: float = 0.05,
        errors: pd.DataFrame | None = None,
        draws: UnitKind | None = None,
        cluster: Clusters = None,
        **options: Unpack[RuleOptions],
    ) -> pd.DataFrame:
        """How far do the ranks spread if the tasks, instances or comparisons are drawn again?"""
    def borda(
        self,
        *,
        missing: Missing = "compatible",
        ties: Ties = "average",
        levels: int = 1,
        **table: Unpack[TableOptions],
    ) -> pd.DataFrame:
        """Which system stands above most others, summed over the tasks?"""
    def bradley_terry(
        self,
        *,
        prior: float = 0.0,
        advantage: bool = False,
        covariates: pd.DataFrame | pd.Series | None = None,
        scale: float = 1.0,
        base: float = 2.718281828459045,
        anchor: Anchor = None,
        missing: Missing = "ignore",
        **table: Unpack[TableOptions],
    ) -> pd.DataFrame:
        """How strong must the systems be, for each to win as often as it does?"""
    def compare(
        self,
        rules: RuleList = None,
        *,
        missing: Missing | None = None,
        **table: Unpack[TableOptions],
    ) -> pd.DataFrame:
        """How does each system rank under each rule?"""
    def compared(self, **options: Unpack[PairOptions]) -> pd.DataFrame:
        """How often did each pair of systems meet?"""
    def condorcet(self, **options: Unpack[PairOptions]) -> pd.DataFrame:
        """Is there a system that beats every other on a majority of the tasks?"""
    def confidence(
        self,
        *,
        delta: float = 0.05,
        method: Interval | None = None,
        adjust: Literal["holm"] | None = None,
        seed: int | None = 0,
        levels: int = 1,
        cluster: Clusters = None,
        n_draws: int = 4000,
        **table: Unpack[TableOptions],
    ) -> pd.DataFrame:
        """How sure is it, pair by pair, that one system beats the other?"""
    def copeland(self, **options: Unpack[PairOptions]) -> pd.DataFrame:
        """Which system beats most others one against one?"""
    def davidson(
        self, *, prior: float = 0.0, missing: Missing = "ignore", **table: Unpack[TableOptions]
    ) -> pd.DataFrame:
        """How strong must the systems be, for each to win, and to tie, as often as it does?"""
    def kemeny(
        self,
        *,
        time_limit: float | None = 30.0,
        accept: Accept = "proven",
        **options: Unpack[PairOptions],
    ) -> pd.DataFrame:
        """Which strict order of the systems reverses the fewest pairwise preferences of the tasks?"""
    def maximal_lotteries(self, **options: Unpack[PairOptions]) -> pd.DataFrame:
        """By which odds should one draw a system so that no other is expected to beat the one drawn?"""
    def mean_win_rate(
        self, *, missing: Missing = "ignore", **table: Unpack[TableOptions]
    ) -> pd.DataFrame:
        """Which system beats the largest share of the others, on average over its tasks?"""
    def minimax(
        self,
        *,
        variant: Literal["winning_votes", "margins", "opposition"] = "winning_votes",
        **options: Unpack[PairOptions],
    ) -> pd.DataFrame:
        """Which system's worst defeat is the mildest?"""
    def pairwise(self, **options: Unpack[PairOptions]) -> pd.DataFrame:
        """On how many tasks does each system beat each other?"""
    def picture(
        self,
        rule: RuleLike | None = None,
        *,
        rules: RuleList = None,
        top: int = 20,
        width: float | str | None = None,
        title: bool = True,
        seed: int | None = 0,
        missing: Missing | None = None,
        weights: Weights = None,
        groups: Groups = None,
        lower_is_better: LowerIsBetter = (),
        errors: pd.DataFrame | None = None,
        cluster: Clusters = None,
    ) -> Drawing:
        """See who is first, on which tasks, how sure that is, and what other rules say."""
    def rank_confidence(
        self,
        rule: RuleLike,
        *,
        delta: float = 0.05,
        joint: bool = True,
        seed: int | None = 0,
        over: ResampledUnit | OverErrors | None = None,
        errors: pd.DataFrame | None = None,
        draws: UnitKind | None = None,
        cluster: Clusters = None,
        n_draws: int = 10000,
        **options: Unpack[RuleOptions],
    ) -> pd.DataFrame:
        """Which ranks may each system have, given that the tasks are only some of those there could be?"""
    def ranked_pairs(
        self,
        *,
        tie_order: Iterable[Label] | None = None,
        time_limit: float | None = 30.0,
        **options: Unpack[PairOptions],
    ) -> pd.DataFrame:
        """Who is unbeaten when wins are locked in from the clearest on, unless they close a cycle?"""
    def schulze(self, **options: Unpack[PairOptions]) -> pd.DataFrame:
        """Which system beats the others along the strongest paths of wins?"""
    def significant_pairs(
        self,
        rule: RuleLike,
        *,
        delta: float = 0.05,
        over: ResampledUnit | OverErrors | None = None,
        errors: pd.DataFrame | None = None,
        draws: UnitKind | None = None,
        cluster: Clusters = None,
        seed: int | None = 0,
        n_draws: int = 10000,
        **options: Unpack[RuleOptions],
    ) -> pd.DataFrame:
        """Which systems are surely better than which others?"""
    def summary(
        self,
        rule: RuleLike | None = None,
        *,
        delta: float = 0.05,
        over: ResampledUnit | OverErrors | None = None,
        cluster: Clusters = None,
        errors: pd.DataFrame | None = None,
        seed: int | None = 0,
        n_draws: int = 10000,
        **options: Unpack[RuleOptions],
    ) -> Summary:
        """The table, sentences and picture for a paper."""
    def tie_groups(
        self,
        rule: RuleLike | None = None,
        *,
        delta: float = 0.05,
        seed: int | None = 0,
        over: ResampledUnit | OverErrors | None = None,
        cluster: Clusters = None,
        n_draws: int = 10000,
        **options: Unpack[RuleOptions],
    ) -> pd.DataFrame:
        """Which systems can't be told apart?"""
    def winners(
        self,
        rules: RuleList = None,
        *,
        missing: Missing | None = None,
        **table: Unpack[TableOptions],
    ) -> pd.Series:
        """Who wins under each rule?"""

class _LeaderboardAndComparisonsMethods:
    def explore(
        self,
        rule: str | None = None,
        *,
        rules: RuleList = None,
        tab: str = "rules",
        system: Label = None,
        delta: float = 0.05,
        missing: Missing | None = None,
        cluster: Clusters = None,
        **table: Unpack[TableOptions],
    ) -> Workbench:
        """See who is first, how sure that is, and what would change it."""
    def margin_of_victory(
        self, rule: RuleLike | None = None, **options: Unpack[RuleOptions]
    ) -> pd.DataFrame:
        """How much can the winner lose and still be first?"""
    def recommend(
        self, *, cluster: Clusters = None, **table: Unpack[TableOptions]
    ) -> Recommendation:
        """Which family of rules fits this table, and why?"""
    def report(
        self,
        rule: RuleLike | None = None,
        *,
        rules: RuleList = None,
        delta: float = 0.05,
        seed: int = 0,
        missing: Missing | None = None,
        errors: pd.DataFrame | None = None,
        since: pd.DataFrame | Leaderboard | None = None,
        weights: Weights = None,
        groups: Groups = None,
        lower_is_better: LowerIsBetter = (),
        cluster: Clusters = None,
    ) -> Report:
        """The whole leaderboard on one page: winners, ties, gaps, and what decides."""
    def strengths(
        self,
        *,
        delta: float = 0.05,
        method: ErrorEstimate = "sandwich",
        n_draws: int = 1000,
        seed: int | None = 0,
        prior: float = 0.0,
        advantage: bool = False,
        covariates: pd.DataFrame | pd.Series | None = None,
        scale: float = 1.0,
        base: float = 2.718281828459045,
        anchor: Anchor = None,
        cluster: Clusters = None,
        **table: Unpack[TableOptions],
    ) -> pd.DataFrame:
        """How strong is each system by Bradley and Terry's model, and how sure is that?"""
    def unseat(
        self,
        rule: RuleLike | None = None,
        *,
        whole_groups: bool = False,
        least: Literal["tasks", "weight"] = "tasks",
        time_limit: float | None = 60.0,
        **options: Unpack[PickOptions],
    ) -> pd.DataFrame:
        """How few tasks, or comparisons, have to go for another system to stand above the winner?"""
    def win_probabilities(
        self,
        *,
        delta: float = 0.05,
        method: ErrorEstimate = "sandwich",
        n_draws: int = 1000,
        seed: int | None = 0,
        prior: float = 0.0,
        cluster: Clusters = None,
        **table: Unpack[TableOptions],
    ) -> pd.DataFrame:
        """How likely is each system to win against each other, by Bradley and Terry's model?"""

class _LeaderboardAndTallyMethods:
    def mean(
        self, *, missing: Missing = "raise", levels: int = 2, **table: Unpack[TableOptions]
    ) -> pd.DataFrame:
        """Which system has the highest average score?"""
    def mean_rank(
        self, *, missing: Missing = "raise", **table: Unpack[TableOptions]
    ) -> pd.DataFrame:
        """Which system has the best place on average?"""

class LeaderboardMethods(
    _LeaderboardAndTallyAndComparisonsMethods,
    _LeaderboardAndComparisonsMethods,
    _LeaderboardAndTallyMethods,
):
    def antiplurality(self, **options: Unpack[PlaceOptions]) -> pd.DataFrame:
        """Which system comes last on fewest tasks?"""
    def baldwin(self, **options: Unpack[PlaceOptions]) -> pd.DataFrame:
        """Which system is left if the lowest Borda score goes, again and again?"""
    def binomial_errors(
        self,
        n: float | Mapping[Any, float] | pd.Series | pd.DataFrame,
        *,
        high: float | Mapping[Any, float] | pd.Series = 1.0,
    ) -> pd.DataFrame:
        """How far may each score be off, if it is the share of n items that were right?"""
    def bucklin(self, **options: Unpack[PlaceOptions]) -> pd.DataFrame:
        """Which system is placed first, or first or second, or ... by a majority of the tasks, soonest?"""
    def central_weights(
        self,
        rule: RuleLike = "borda",
        *,
        within: float | None = None,
        n_draws: int = 10000,
        seed: int | None = 0,
        **options: Unpack[RuleOptions],
    ) -> pd.DataFrame:
        """Who would have to value which tasks to put each system first?"""
    def changes(
        self,
        after: pd.DataFrame | Leaderboard,
        rule: RuleLike = "borda",
        **options: Unpack[RuleOptions],
    ) -> pd.DataFrame:
        """What changed since the last table, and by what: scores, tasks, or systems?"""
    def cherry_pick(
        self,
        rule: RuleLike = "borda",
        *,
        whole_groups: bool = False,
        keep: Iterable[Label] | None = None,
        time_limit: float | None = 60.0,
        **options: Unpack[PickOptions],
    ) -> pd.DataFrame:
        """On how many of the tasks is each system first, if one may choose the tasks?"""
    def cherry_picking_curve(
        self,
        rule: RuleLike = "borda",
        *,
        whole_groups: bool = False,
        keep: Iterable[Label] | None = None,
        time_limit: float | None = 60.0,
        **options: Unpack[PickOptions],
    ) -> pd.DataFrame:
        """How many of the systems are first on some set of so many tasks?"""
    def condorcet_weights(
        self,
        system: Label = None,
        *,
        bounds: Bounds | None = None,
        at_least: LabelPairs | None = None,
        maximize: Selection = None,
        minimize: Selection = None,
        beats: LabelPairs | None = None,
        **table: Unpack[TableOptions],
    ) -> pd.DataFrame | pd.Series:
        """Under which weights of the tasks does each system beat, or tie with, every other?"""
    def coombs(self, **options: Unpack[PlaceOptions]) -> pd.DataFrame:
        """Which system is left if the one with the most last places goes, again and again?"""
    def core_tasks(
        self,
        rule: RuleLike = "borda",
        *,
        whole_groups: bool = False,
        keeps: Literal["winner", "top", "order"] = "winner",
        k: int | None = None,
        size: int | None = None,
        agreement: float = 1.0,
        seed: int | None = 0,
        time_limit: float | None = 60.0,
        **options: Unpack[PickOptions],
    ) -> pd.DataFrame:
        """How few tasks would tell the same as all of them, and would they for other systems?"""
    def critical_difference(
        self, *, delta: float = 0.05, method: PostHoc = "nemenyi", **table: Unpack[TableOptions]
    ) -> pd.DataFrame:
        """Which systems can't be told apart by their ranks over the tasks?"""
    def dowdall(self, **options: Unpack[PlaceOptions]) -> pd.DataFrame:
        """Which system has the best places, if the first counts 1, the second 1/2, the third 1/3?"""
    def explain_change(
        self,
        after: pd.DataFrame | Leaderboard,
        rule: RuleLike = "borda",
        *,
        system: Label,
        **options: Unpack[RuleOptions],
    ) -> pd.DataFrame:
        """Which systems passed a system since the last table, on which tasks, and why?"""
    def geometric_mean(
        self,
        *,
        baseline: Label = None,
        shift: float = 0.0,
        penalty: PerTask | None = None,
        missing: Missing = "raise",
        **table: Unpack[TableOptions],
    ) -> pd.DataFrame:
        """Which system has the highest geometric mean, where ratios count and not differences?"""
    def harmonic_mean(
        self, *, missing: Missing = "raise", **table: Unpack[TableOptions]
    ) -> pd.DataFrame:
        """Which system has the highest harmonic mean, which a single low score pulls down?"""
    def instant_runoff(self, **options: Unpack[PlaceOptions]) -> pd.DataFrame:
        """Which system is left if the one with the fewest first places goes, again and again?"""
    def interquartile_mean(
        self, *, missing: Missing = "raise", **table: Unpack[TableOptions]
    ) -> pd.DataFrame:
        """Which system has the highest mean of its middle scores, without the best and worst quarter?"""
    def leave_one_out(
        self,
        rule: RuleLike = "borda",
        *,
        whole_groups: bool = False,
        **options: Unpack[RuleOptions],
    ) -> pd.DataFrame:
        """Which tasks decide: who wins, and how many ranks change, if one task is left out?"""
    def median(self, *, missing: Missing = "raise", **table: Unpack[TableOptions]) -> pd.DataFrame:
        """Which system has the highest median score, which outlying tasks don't move?"""
    def nanson(self, **options: Unpack[PlaceOptions]) -> pd.DataFrame:
        """Which system is left if all strictly below the mean Borda score go, again and again?"""
    def normalized_mean(
        self,
        low: PerTask,
        high: PerTask,
        *,
        missing: Missing = "raise",
        **table: Unpack[TableOptions],
    ) -> pd.DataFrame:
        """Which system has the highest average once each task is put between a floor and a ceiling?"""
    def optimality_gap(
        self, gamma: PerTask, *, missing: Missing = "raise", **table: Unpack[TableOptions]
    ) -> pd.DataFrame:
        """Which system falls least short of a target, where going beyond it earns nothing?"""
    def pairwise_p_values(
        self, *, method: PostHoc = "nemenyi", **table: Unpack[TableOptions]
    ) -> pd.DataFrame:
        """How likely do two equal systems differ as much as these do over the tasks?"""
    def plurality(self, **options: Unpack[PlaceOptions]) -> pd.DataFrame:
        """Which system comes first on most tasks?"""
    def positional(
        self,
        vector: Sequence[float],
        *,
        missing: Missing = "compatible",
        ties: Ties = "average",
        **table: Unpack[TableOptions],
    ) -> pd.DataFrame:
        """Which system has the most points, if you choose the points of each place?"""
    def possible_ranks(
        self,
        rule: RuleLike = "borda",
        *,
        within: float | None = 0.2,
        bounds: Bounds | None = None,
        at_least: LabelPairs | None = None,
        time_limit: float | None = 45.0,
        **options: Unpack[RankBoundOptions],
    ) -> pd.DataFrame:
        """Which ranks can each system have, if the tasks may count more or less than they do?"""
    def probability_of_improvement(
        self, *, delta: float = 0.05, cluster: Clusters = None, **table: Unpack[TableOptions]
    ) -> pd.DataFrame:
        """How likely does a run of one system beat a run of another, on average over the tasks?"""
    def rank_acceptability(
        self,
        rule: RuleLike = "borda",
        *,
        within: float | None = None,
        n_draws: int = 10000,
        seed: int | None = 0,
        **options: Unpack[RuleOptions],
    ) -> pd.DataFrame:
        """Under which share of all weightings does each system have each rank?"""
    def repeated_tasks(
        self, *, groups: Groups = None, lower_is_better: LowerIsBetter = ()
    ) -> pd.DataFrame:
        """Which tasks repeat each other: how alike do they rank the systems?"""
    def score_intervals(
        self,
        rule: RuleLike = "mean",
        *,
        delta: float = 0.05,
        seed: int | None = 0,
        over: ResampledUnit | OverErrors | None = None,
        errors: pd.DataFrame | None = None,
        draws: UnitKind | None = None,
        cluster: Clusters = None,
        **options: Unpack[RuleOptions],
    ) -> pd.DataFrame:
        """How sure is each system's score, by itself?"""
    def task_influence(
        self,
        rule: RuleLike = "borda",
        *,
        whole_groups: bool = False,
        n_draws: int = 100,
        seed: int | None = 0,
        **options: Unpack[RuleOptions],
    ) -> pd.DataFrame:
        """How much of the winner's lead over the second is each task's doing?"""
    def threshold(self, **options: Unpack[PlaceOptions]) -> pd.DataFrame:
        """Which system is worst on fewest tasks, then last or last but one on fewest, and so on?"""
    def two_step(
        self,
        rule: RuleLike,
        *,
        group_weights: Mapping[Any, float] | pd.Series | None = None,
        **table: Unpack[TableOptions],
    ) -> pd.DataFrame:
        """Which system is best if one ranks within each group of tasks first, and then over the groups?"""
    def variance_split(
        self, *, errors: pd.DataFrame | None = None, **table: Unpack[TableOptions]
    ) -> pd.DataFrame:
        """How much of the uncertainty is due to seeds, and how much to tasks: which would help more?"""
    def weight_map(
        self, rule: RuleLike = "borda", *, resolution: int = 40, **options: Unpack[RuleOptions]
    ) -> pd.DataFrame:
        """Who wins at each weighting of three groups, say performance, efficiency and fairness?"""

class TallyMethods(_LeaderboardAndTallyAndComparisonsMethods, _LeaderboardAndTallyMethods):
    pass

class ComparisonsMethods(
    _LeaderboardAndTallyAndComparisonsMethods, _LeaderboardAndComparisonsMethods
):
    def elo(
        self, *, k: float = 4.0, base: float = 10.0, scale: float = 400.0, initial: float = 1000.0
    ) -> pd.DataFrame:
        """Where do the ratings stand after the comparisons, taken one by one in their order?"""
