"""Which test for a paper? False claims and power of each, on tables of the usual shapes.

python docs/scripts/which_test.py            prints the table (ten minutes on a quiet core)
python docs/scripts/which_test.py --write    also writes it into docs/how_to/for_a_paper.md, and
                                             for a notebook as notebooks/data/which_test.csv
python docs/scripts/which_test.py --tables 2                a quick look, never written
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import nbrank

DRAWS = 999
PAGE = Path(__file__).parents[1] / "how_to" / "for_a_paper.md"
CSV = Path(__file__).parents[2] / "notebooks" / "data" / "which_test.csv"
MARKS = ("<!-- which_test.py writes from here -->", "<!-- to here -->")
HEADINGS = (
    *("table", "test", "false claims, all equal", "false claims, apart"),
    *("pairs found", "tables"),
)
#: From the votes to which system is claimed to be better than which: systems x systems.
Claims = Callable[[Any], np.ndarray]


def _from_frame(pairs: pd.DataFrame, n: int) -> np.ndarray:
    """The claims of rows (system, opponent): significant, and won more often than not."""
    claims = np.zeros((n, n), dtype=bool)
    shown = pairs.index[pairs["significant"] & (pairs["wins"] > 0.5)]
    ahead = [shown.get_level_values(level).astype(int) for level in ("system", "opponent")]
    claims[ahead[0], ahead[1]] = True
    return claims


def _rank_sets(votes: Any, rule: str) -> np.ndarray:
    n = len(votes.systems)
    claims = np.zeros((n, n), dtype=bool)
    pairs = nbrank.significant_pairs(votes, rule, n_draws=DRAWS)
    claims[pairs["better"].astype(int), pairs["worse"].astype(int)] = True
    return claims


def _disjoint_ranks(votes: Any, rule: str) -> np.ndarray:
    """Intervals of ranks under resampling that don't overlap."""
    over: Any = "instances" if votes.is_instance_level else "tasks"
    ranks = nbrank.bootstrap(votes, rule, over=over, n_draws=400, seed=0)
    ranks = ranks.set_axis(ranks.index.astype(int)).sort_index()
    return np.asarray(ranks["high"].to_numpy()[:, None] < ranks["low"].to_numpy())


def _confidence(votes: Any, method: Any, adjust: Any) -> np.ndarray:
    found = nbrank.confidence(votes, method=method, adjust=adjust, n_draws=DRAWS, seed=0)
    return _from_frame(found, len(votes.systems))


def _post_hoc(votes: Any, method: Any) -> np.ndarray:
    p_values = nbrank.pairwise_p_values(votes, method=method).to_numpy()
    means = nbrank.mean_rank(votes)["score"].reindex(votes.systems).to_numpy()
    return np.asarray((p_values <= 0.05) & (means[:, None] > means))


def _best(votes: Any, rule: str) -> np.ndarray:
    """Who is left out of the set of the best, as a claim that the first is better."""
    found = nbrank.best_set(votes, rule, n_draws=DRAWS)
    claims = np.zeros((len(found), len(found)), dtype=bool)
    claims[int(found.index[0]), found.index[~found["best"]].astype(int)] = True
    return claims


def _against_first(votes: Any, rule: str) -> np.ndarray:
    """McNemar's test of the observed first against each other system, unadjusted."""
    claims = _confidence(votes, "sign", None)
    first = int(getattr(votes, rule)().index[0])
    claims[np.arange(len(claims)) != first] = False
    return claims


def _disjoint_strengths(votes: Any) -> np.ndarray:
    """Intervals of single strengths (or Elo-like ratings) that don't overlap."""
    found = votes.strengths()
    found = found.set_axis(found.index.astype(int)).sort_index()
    return np.asarray(found["low"].to_numpy()[:, None] > found["high"].to_numpy())


def _tests(rule: str, *, places: bool = True) -> dict[str, Claims]:
    """The tests, of which those of mean places need tasks."""
    result: dict[str, Claims] = {
        f"best_set, {rule}": partial(_best, rule=rule),
        f"rank_confidence, {rule}": partial(_rank_sets, rule=rule),
    }
    if places:
        result |= {
            "Friedman and Nemenyi": partial(_post_hoc, method="nemenyi"),
            "Wilcoxon, Holm": partial(_post_hoc, method="wilcoxon_holm"),
        }
    result |= {
        "sign test, Holm": partial(_confidence, method="sign", adjust="holm"),
        "Hoeffding, Holm": partial(_confidence, method="hoeffding", adjust="holm"),
        "Wilson, Holm": partial(_confidence, method="wilson", adjust="holm"),
        "Wilson, each pair alone": partial(_confidence, method="wilson", adjust=None),
    }
    if rule == "bradley_terry":
        result["intervals of strengths, no overlap"] = _disjoint_strengths
    else:
        result |= {
            "bootstrap of pairs, Holm": partial(_confidence, method="bootstrap", adjust="holm"),
            "bootstrap of ranks, no overlap": partial(_disjoint_ranks, rule=rule),
        }
    if rule == "mean":
        result["McNemar, first against each"] = partial(_against_first, rule=rule)
    return result


def _tasks(rng: np.random.Generator, quality: np.ndarray, n_tasks: int) -> nbrank.Leaderboard:
    values = quality[:, None] + rng.normal(size=(len(quality), n_tasks))
    return nbrank.Leaderboard(pd.DataFrame(values).add_prefix("t"))


def _instances(rng: np.random.Generator, quality: np.ndarray) -> nbrank.Leaderboard:
    """500 questions that are right or wrong."""
    difficulty = rng.normal(0, 1.5, 500)
    right = rng.random((len(quality), 500)) < 1 / (1 + np.exp(difficulty - quality[:, None]))
    rows = pd.MultiIndex.from_product(
        [range(len(quality)), range(500)], names=["system", "instance"]
    )
    return nbrank.Leaderboard(pd.DataFrame({"right": right.ravel() * 1.0}, index=rows))


def _arena(rng: np.random.Generator, quality: np.ndarray) -> nbrank.Comparisons:
    """20,000 votes."""
    n = len(quality)
    left = rng.integers(0, n, 20_000)
    right = (left + rng.integers(1, n, 20_000)) % n
    won = rng.random(20_000) < 1 / (1 + np.exp(quality[right] - quality[left]))
    votes = pd.DataFrame({"left": left, "right": right, "winner": np.where(won, left, right)})
    return nbrank.from_comparisons(votes, left="left", right="right", winner="winner")


@dataclass(frozen=True)
class Table:
    """One shape of tables."""

    name: str
    n_systems: int
    spread: float
    draw: Callable[[np.random.Generator, np.ndarray], Any]
    tests: dict[str, Claims]
    tables: int


#: Of large tables, whose many pairs take the bootstrap long.
_LARGE = {name: test for name, test in _tests("borda").items() if "bootstrap of pairs" not in name}
TABLES = [
    Table("9 systems, 12 tasks", 9, 2.0, partial(_tasks, n_tasks=12), _tests("borda"), 300),
    Table("24 systems, 14 tasks", 24, 2.0, partial(_tasks, n_tasks=14), _tests("borda"), 200),
    Table("45 systems, 51 tasks", 45, 2.0, partial(_tasks, n_tasks=51), _LARGE, 200),
    Table("90 systems, 10 tasks", 90, 2.0, partial(_tasks, n_tasks=10), _tests("borda"), 100),
    Table("181 systems, 41 tasks", 181, 2.0, partial(_tasks, n_tasks=41), _LARGE, 15),
    Table(
        "30 systems, 500 instances, right or wrong", 30, 0.8, _instances,
        _tests("mean", places=False), 50,
    ),
    Table("arena of 30 systems, 20,000 votes", 30, 0.6, _arena,
          _tests("bradley_terry", places=False), 50),
]  # fmt: skip


def measure(table: Table, tables: int) -> Iterator[tuple[str, ...]]:
    """A row for each test: how often it claims something false, and what it finds."""
    rng = np.random.default_rng(int.from_bytes(table.name.encode()) % 2**32)
    equal = np.zeros(table.n_systems)
    # Two and two are equally good, so that there is something to be wrong about.
    apart = np.repeat(np.linspace(table.spread, 0, -(-table.n_systems // 2)), 2)[: table.n_systems]
    wrong: dict[str, list[tuple[float, float, float]]] = {name: [] for name in table.tests}
    better = np.asarray(apart[:, None] > apart)
    for _ in range(tables):
        drawn = [(quality, table.draw(rng, quality)) for quality in (equal, apart)]
        for name, test in table.tests.items():
            first, second = (test(votes) for _, votes in drawn)
            if name.startswith("best_set"):
                # Of each system that is truly best, how often it is left out.
                out = [np.asarray(claims.any(axis=0)) for claims in (first, second)]
                worse = np.asarray(apart < apart.max())
                wrong[name].append((out[0].mean(), out[1][~worse].mean(), out[1][worse].mean()))
            else:
                found = (second & better).sum() / better.sum()
                wrong[name].append((float(first.any()), float((second & ~better).any()), found))
    for name, each in wrong.items():
        means = np.mean(each, axis=0)
        error = np.sqrt(np.maximum(means * (1 - means), 0.0475) / tables)
        shares = [f"{mean:.3f} ± {by:.3f}" for mean, by in zip(means, error, strict=True)]
        shares[2] = f"{means[2]:.3f} ± {np.std([one[2] for one in each]) / tables**0.5:.3f}"
        yield (table.name, name, *shares, str(tables))


def main() -> None:
    """Print the table, and write it where one asks for that."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--tables", type=int, help="so many tables of each shape")
    parser.add_argument("--only", default="", help="only shapes with this text in their names")
    given = parser.parse_args()
    lines = [f"| {' | '.join(cells)} |" for cells in (HEADINGS, ("---",) * len(HEADINGS))]
    for table in TABLES:
        if given.only in table.name:
            for cells in measure(table, given.tables or table.tables):
                lines.append(f"| {' | '.join(cells)} |")
                print(lines[-1], flush=True)
    if given.write and given.tables is None and not given.only:
        rows = [line.strip("| ").split(" | ") for line in lines[2:]]
        pd.DataFrame(rows, columns=list(HEADINGS)).to_csv(CSV, index=False)
        before, _, rest = PAGE.read_text("utf-8").partition(MARKS[0])
        after = rest.partition(MARKS[1])[2]
        PAGE.write_text(
            f"{before}{MARKS[0]}\n" + "\n".join(lines) + f"\n{MARKS[1]}{after}", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
