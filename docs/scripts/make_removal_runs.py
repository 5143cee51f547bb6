"""Sum up the released instance-level runs that `nbrank.datasets` ships, from the run files.

Run `python docs/scripts/make_removal_runs.py RUNS`, where RUNS is the folder
`instance_level_correlations` of AnasHimmi/MissingDataRanking at 45ed757 (3,400 JSON files: 34 sets
x 100 seeds), or a Parquet file that holds the same in one table (a row for each set, seed and
share; rankings as text). It writes `removal_runs.csv` and `removal_sets.csv` in
`nbrank/datasets/tables` and prints tables 3 and 4 of Himmi et al. (2024).
"""

import json
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from nbrank.arrays.rank_correlation import kendall_tau
from nbrank.experiments.released_code import is_same_place

TABLES = Path(__file__).parents[2] / "nbrank" / "datasets" / "tables"
RULES = {"one_level": "one level", "two_level": "two levels", "mean": "mean"}


def read_runs(path: Path) -> pd.DataFrame:
    """Read the runs: `set`, `seed`, `share`, and of each rule its tau and its ranking."""
    if path.is_dir():
        return pd.DataFrame(_iter_json_rows(path))
    table = pd.read_parquet(path)
    runs = pd.DataFrame({"set": table["dataset"], "seed": table["sample"], "share": table["eta"]})
    for rule, name in RULES.items():
        runs[f"{name}, tau"] = table[f"{rule}_correlation"]
        runs[f"{name}, ranking"] = table[f"{rule}_ranking"].map(
            lambda text: np.array(text.split(), dtype=float)
        )
    return runs


def _iter_json_rows(folder: Path) -> Iterator[dict[str, object]]:
    for file in sorted(folder.rglob("*.json")):
        run = json.loads(file.read_text())
        name = file.relative_to(folder).as_posix().rpartition("_")[0]
        results = run["results"]["robustness"]["system-col"]
        for step, share in enumerate(results["eta"]):
            row: dict[str, object] = {"set": name, "seed": run["sample"], "share": share}
            for rule, label in RULES.items():
                row[f"{label}, tau"] = results[rule][step]["correlation"]
                row[f"{label}, ranking"] = np.array(results[rule][step]["ranking"], dtype=float)
            yield row


def summarize(runs: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Sum up the runs: tau by set and share, and a row for each set.

    An undefined tau, where a ranking ties all systems, counts as 0, as in the authors' notebooks.
    """
    taus = runs.set_index(["set", "seed", "share"])[[f"{name}, tau" for name in RULES.values()]]
    taus = taus.fillna(0).set_axis([*RULES.values()], axis=1)
    by_share = taus.groupby(level=["set", "share"]).mean().round(4)

    names = [*RULES.values()]
    parts = {"systems": runs.groupby("set")["mean, ranking"].first().map(len)}
    # Where one of the three rankings has no system at a place, the authors count none of the pairs.
    has_place = {
        rank: np.logical_and.reduce(
            [[(ranks == rank - 1).any() for ranks in runs[f"{name}, ranking"]] for name in names]
        )
        for rank in (1, 3)
    }
    for first, second in combinations(names, 2):
        pairs = list(zip(runs[f"{first}, ranking"], runs[f"{second}, ranking"], strict=True))
        agreement = pd.DataFrame(
            {
                "set": runs["set"],
                "τ": np.nan_to_num([kendall_tau(*pair) for pair in pairs]),
            }
        )
        for rank in (1, 3):
            same = [is_same_place(rank, *(ranks + 1 for ranks in pair)) for pair in pairs]
            agreement[f"top {rank}"] = has_place[rank] & same
        by_set = agreement.groupby("set")
        head = f"{first} and {second}"
        parts["runs"] = by_set.size()
        parts[f"{head}, τ"] = by_set["τ"].mean().round(5)
        parts[f"{head}, ±"] = by_set["τ"].std(ddof=0).round(5)
        for column in ("top 1", "top 3"):
            parts[f"{head}, {column}"] = by_set[column].sum()
    partly = taus.query("0 < share < 1").groupby(level=["set", "seed"]).mean()
    for first, second in combinations(RULES.values(), 2):
        leads = (partly[first] - partly[second]).groupby("set")
        parts[f"lead of {first} over {second}"] = leads.mean().round(4)
        parts[f"lead of {first} over {second}, se"] = leads.sem().round(4)
    complete = runs[(runs["share"] == 0) & (runs["seed"] == 0)].set_index("set")
    for name in RULES.values():
        parts[f"{name}, complete"] = complete[f"{name}, ranking"].map(
            lambda ranks: " ".join(f"{rank:g}" for rank in ranks)
        )
    return by_share, pd.DataFrame(parts).rename_axis("set")


if __name__ == "__main__":
    by_share, by_set = summarize(read_runs(Path(sys.argv[1])))
    by_share.to_csv(TABLES / "removal_runs.csv", lineterminator="\n")
    by_set.to_csv(TABLES / "removal_sets.csv", lineterminator="\n")
    for first, second in combinations(RULES.values(), 2):
        pair = by_set.filter(like=f"{first} and {second}, ")
        pair.columns = pair.columns.str.rpartition(", ").get_level_values(2)
        weights = by_set["runs"] / by_set["runs"].sum()
        mean = (pair["τ"] * weights).sum()
        spread = ((pair["±"] ** 2 + (pair["τ"] - mean) ** 2) * weights).sum() ** 0.5
        shares = pair[["top 1", "top 3"]].sum() / by_set["runs"].sum()
        print(f"{first} and {second}: τ {mean:.4f} ± {spread:.4f}", shares.round(4).to_dict())
