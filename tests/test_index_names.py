"""An index may have any name, also that of a column that a function adds."""

import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest

import nbrank
from nbrank import axioms, charts, experiments, metrics
from nbrank.frontends.report_page import report

#: What columns of results, fields of charts and pandas' own stand-ins are called.
NAMES = [
    "rank", "score", "low", "high", "mean_rank", "system", "task", ("rank", "score"), "p_best",
    "strength", "wins", "share", "weight", "winner", "winners", "systems", "groups", "left",
    "instance", "rule", "without", "opponent", "ranks_changed", "weight to move", "index",
    "level_0", 0,
]  # fmt: skip

SYSTEMS, TASKS = list("ABCD"), [f"t{number}" for number in range(9)]
GROUPS = {"g1": TASKS[:3], "g2": TASKS[3:6], "g3": TASKS[6:]}
VALUES = np.random.default_rng(4).integers(1, 12, (4, 9)).astype(float)


def table(name=None, tasks=TASKS):
    return pd.DataFrame(
        VALUES,
        index=pd.Index(SYSTEMS, name=name, tupleize_cols=False),
        columns=pd.Index(tasks, name=name, tupleize_cols=False),
    )


def pooled(scores):
    """The same scores, task by task, as rows of system and instance."""
    long = scores.rename_axis(index="system", columns="instance").stack(future_stack=True)
    return long.to_frame("t").set_axis(
        pd.Index(["t"], name=scores.columns.name, tupleize_cols=False), axis=1
    )


def battles(name):
    columns = [name if isinstance(name, str) else "one", "the other", "who won"]
    rows = [("A", "B", "A"), ("B", "C", "B"), ("C", "A", "A"), ("C", "B", "C"), ("B", "A", "B")]
    frame = pd.DataFrame(rows, columns=columns)
    frame.index.name = frame.columns.name = name
    return nbrank.from_comparisons(frame, left=columns[0], right=columns[1], winner=columns[2])


def ranked(scores):
    return nbrank.borda(scores)


def sets(scores):
    return nbrank.bootstrap(scores, "borda", n_draws=20, seed=0)


def from_long(scores):
    rows = pooled(scores).rename_axis(columns=None).reset_index().assign(task="t")
    rows.index.name = rows.columns.name = scores.index.name
    columns = {name: name for name in ("system", "task", "instance")}
    return nbrank.borda(nbrank.from_long(rows, **columns, score="t"))


def predictions(scores):
    return scores.T, scores.T["A"].rename(scores.index.name)


def of_pair(function, **options):
    return lambda s: function(ranked(s), nbrank.mean_rank(s), **options)


RULES = {
    name: partial(
        rule.function,
        **{
            "normalized_mean": {"low": 0, "high": 12},
            "optimality_gap": {"gamma": 9},
            "positional": {"vector": [3, 2, 1, 0]},
        }.get(name, {}),
    )
    for name, rule in nbrank.RULES.items()
    if rule.supports(nbrank.Leaderboard.provides)
}

FUNCTIONS = {
    **RULES,
    "Leaderboard": lambda s: nbrank.Leaderboard(s).scores,
    "from_long": from_long,
    "tally": lambda s: nbrank.borda(nbrank.tally(pooled(s))),
    "bootstrap": sets,
    "compare": lambda s: nbrank.compare(s, ["borda", "mean", "kemeny"]),
    "winners": lambda s: nbrank.winners(s, ["borda", "mean", "kemeny"]),
    "summary": lambda s: nbrank.summary(s).table,
    "changes": lambda s: nbrank.changes(s, s),
    "explain_change": lambda s: nbrank.explain_change(s, s, system="A"),
    "two_step": lambda s: nbrank.two_step(s, "borda", groups=GROUPS),
    "leave_one_out": lambda s: nbrank.leave_one_out(s, "borda"),
    "pairwise": nbrank.pairwise,
    "pairwise_p_values": nbrank.pairwise_p_values,
    "compared": nbrank.compared,
    "comparisons_needed": lambda s: nbrank.comparisons_needed(s["t1"].add(1) / 20),
    "confidence": nbrank.confidence,
    "tournament.condorcet_loser": nbrank.tournament.condorcet_loser,
    "condorcet_weights": nbrank.condorcet_weights,
    "critical_difference": nbrank.critical_difference,
    "consensus.disagreement": lambda s: nbrank.consensus.disagreement(s, ranked(s)),
    "consensus.bound": nbrank.consensus.bound,
    "consensus.quality": lambda s: nbrank.consensus.quality(s, {"borda": ranked(s)}),
    "consensus.swaps": nbrank.consensus.swaps,
    "consensus.winners": nbrank.consensus.winners,
    "agreement.kendall_distance": of_pair(nbrank.agreement.kendall_distance),
    "agreement.kendall_tau": of_pair(nbrank.agreement.kendall_tau),
    "agreement.spearman": of_pair(nbrank.agreement.spearman),
    "agreement.last_k_agreement": of_pair(nbrank.agreement.last_k_agreement, k=2),
    "agreement.top_k_agreement": of_pair(nbrank.agreement.top_k_agreement, k=2),
    "agreement.rank_biased_overlap": of_pair(nbrank.agreement.rank_biased_overlap),
    "tournament.majority_graph": nbrank.tournament.majority_graph,
    "tournament.smith_set": nbrank.tournament.smith_set,
    "tournament.schwartz_set": nbrank.tournament.schwartz_set,
    "tournament.uncovered_set": nbrank.tournament.uncovered_set,
    "best_set": nbrank.best_set,
    "rank_confidence": lambda s: nbrank.rank_confidence(s, "borda"),
    "significant_pairs": lambda s: nbrank.significant_pairs(s, "borda"),
    "rank_confidence_from": lambda s: nbrank.rank_confidence_from(
        nbrank.strengths(s, prior=1)["strength"],
        pd.DataFrame(
            np.eye(4), index=s.index[nbrank.strengths(s, prior=1).index.map(s.index.get_loc)]
        ).set_axis(nbrank.strengths(s, prior=1).index, axis=1),
    ),
    "score_intervals": lambda s: nbrank.score_intervals(s, "borda"),
    "probability_of_improvement": nbrank.probability_of_improvement,
    "binomial_errors": lambda s: nbrank.binomial_errors(s, 20, high=12),
    "variance_split": lambda s: nbrank.variance_split(
        s, errors=nbrank.binomial_errors(s, 20, high=12)
    ),
    "possible_ranks": nbrank.possible_ranks,
    "rank_acceptability": lambda s: nbrank.rank_acceptability(s, n_draws=50),
    "central_weights": lambda s: nbrank.central_weights(s, n_draws=50),
    "cherry_pick": nbrank.cherry_pick,
    "cherry_picking_curve": nbrank.cherry_picking_curve,
    "unseat": nbrank.unseat,
    "margin_of_victory": nbrank.margin_of_victory,
    "core_tasks": nbrank.core_tasks,
    "task_influence": nbrank.task_influence,
    "repeated_tasks": nbrank.repeated_tasks,
    "picture": lambda s: nbrank.picture(s).template,
    "charts.possible_ranks": lambda s: charts.possible_ranks(nbrank.possible_ranks(s)),
    "charts.rank_acceptability": lambda s: charts.rank_acceptability(
        nbrank.rank_acceptability(s, n_draws=50)
    ),
    "charts.repeated_tasks": lambda s: charts.repeated_tasks(nbrank.repeated_tasks(s)),
    "charts.apply_theme": lambda s: charts.apply_theme(charts.scores(s)),
    "tie_groups": lambda s: nbrank.tie_groups(nbrank.rank_confidence(s, "borda")),
    "recommend": lambda s: nbrank.recommend(s, groups=GROUPS),
    "strengths": lambda s: nbrank.strengths(s, prior=1),
    "win_probabilities": lambda s: nbrank.win_probabilities(nbrank.strengths(s, prior=1)),
    "weight_map": lambda s: nbrank.weight_map(s, groups=GROUPS, resolution=4),
    "elo": lambda s: battles(s.index.name).elo(),
    "from_comparisons": lambda s: battles(s.index.name).borda(),
    "from_wins": lambda s: nbrank.from_wins(nbrank.pairwise(s)).copeland(),
    "strengths of comparisons": lambda s: nbrank.strengths(battles(s.index.name), prior=1),
    "report": lambda s: str(report(s, groups=GROUPS)),
    "accessor": lambda s: s.rank.borda(),
    "experiments.remove_scores": lambda s: experiments.remove_scores(
        s, ["borda"], shares=[0.1], n_repeats=2, seed=0
    ),
    "axioms.check": lambda s: axioms.check(s, "borda", "neutrality"),
    "metrics.global_scores": lambda s: (
        metrics.global_scores(*predictions(s), ["mean absolute error"]).scores
    ),
    "metrics.instance_scores": lambda s: (
        metrics.instance_scores(*predictions(s), ["mean absolute error"]).scores
    ),
    "metrics.pairwise_outcomes": lambda s: metrics.pairwise_outcomes(pooled(s), tie_within=0),
    "metrics.binarized": metrics.binarized,
    "explore": lambda s: nbrank.explore(s).ranking,
    "explore tab='confidence'": lambda s: nbrank.explore(s, tab="confidence").ranking,
    "explore tab='elimination'": lambda s: nbrank.explore(s, tab="elimination").ranking,
    "explore tab='missing'": lambda s: nbrank.explore(s, tab="missing").ranking,
    "explore tab='weights'": lambda s: nbrank.explore(s, groups=GROUPS, tab="weights").ranking,
    "charts.ranks": lambda s: charts.ranks(nbrank.compare(s, ["borda", "mean"])),
    "charts.scores": charts.scores,
    "charts.scores by a ranking": lambda s: charts.scores(s, nbrank.mean(s)),
    "charts.pairwise": lambda s: charts.pairwise(nbrank.confidence(s)),
    "charts.compatible_pairs": charts.compatible_pairs,
    "charts.majority_graph": charts.majority_graph,
    "charts.rank_intervals": lambda s: charts.rank_intervals(sets(s)),
    "charts.tie_groups": lambda s: charts.tie_groups(
        nbrank.tie_groups(s, "borda"), nbrank.rank_confidence(s, "borda")
    ),
    "charts.strengths": lambda s: charts.strengths(nbrank.strengths(s, prior=1)),
    "charts.pairwise_p_values": lambda s: charts.pairwise_p_values(nbrank.pairwise_p_values(s)),
    "charts.critical_difference": lambda s: charts.critical_difference(
        nbrank.critical_difference(s)
    ),
    "charts.weight_map": lambda s: charts.weight_map(
        nbrank.weight_map(s, groups=GROUPS, resolution=4)
    ),
    "charts.robustness": lambda s: charts.robustness(
        experiments.remove_scores(s, ["borda"], shares=[0.1, 0.2], n_repeats=2, seed=0), "share"
    ),
}


def result(name, scores):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = FUNCTIONS[name](scores)
    # The schema is checked where charts are tested.
    return found.to_dict(validate=False) if name.startswith("charts.") else found


def test_every_public_function_and_chart_is_tested_here():
    classes = {"RULES", "Comparisons", "Rule", "RuleRefusedWarning", "SearchLimitError", "Tally"}
    classes |= {"LeaderboardWarning", "__version__"}
    # Of a file, or of a list of ballots, there is no index.
    others = {"from_parquet", "read", "from_ballots"}
    assert set(nbrank.__all__) - classes - others <= set(FUNCTIONS)
    for module in (nbrank.agreement, nbrank.consensus, nbrank.tournament):
        names = {f"{module.__name__.removeprefix('nbrank.')}.{name}" for name in module.__all__}
        assert names <= set(FUNCTIONS)
    drawn = {name for name in charts.__all__ if callable(getattr(charts, name))}
    assert {
        f"charts.{name}" for name in drawn - {"label_text", "unique_label_texts", "reproduction"}
    } <= set(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_index_of_any_name_changes_no_result(name, effort):
    plain = result(name, table())
    # What has many parts is slow to make, and its parts are tested by themselves; rules all make
    # their rankings in one place.
    few = name.startswith(("explore", "report")) or (effort == 1 and name.startswith("charts."))
    few |= name in RULES.keys() - {"borda", "mean", "kemeny", "bradley_terry"}
    for called in NAMES[:8] if few else NAMES:
        found = result(name, table(called))
        if isinstance(found, pd.DataFrame):
            pd.testing.assert_frame_equal(found, plain, check_names=False)
        elif isinstance(found, pd.Series):
            pd.testing.assert_series_equal(found, plain, check_names=False)
        else:
            assert str(found) == str(plain), called
