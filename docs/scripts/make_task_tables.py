"""Write the task-level tables of the studies that `nbrank.datasets.load_*` ships.

Run `python docs/scripts/make_task_tables.py`. It downloads the files that the studies released
(or finds them in NBRANK_DATA_DIR) and writes `nbrank/datasets/tables/`; the README there says what
is corrected on the way.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nbrank.datasets import fetch_file
from nbrank.readers.tables.csv_files import read_csv

TABLES = Path(__file__).parents[2] / "nbrank" / "datasets" / "tables"

# Tasks with two metrics: the leaderboards print "93.9/91.8", in this order.
METRICS = {
    "glue": {
        "MRPC": ("F1", "accuracy"),
        "STS-B": ("Pearson", "Spearman"),
        "QQP": ("F1", "accuracy"),
    },
    "superglue": {
        "CB": ("F1", "accuracy"),
        "MultiRC": ("F1a", "exact match"),
        "ReCoRD": ("F1", "exact match"),
        "AX-g": ("gender parity", "accuracy"),
    },
}
FIRST_TASK = {"glue": "CoLA", "superglue": "BoolQ"}
# Vote'n'Rank gives the diagnostic sets no weight.
DIAGNOSTIC = {"AX", "AX-b", "AX-g"}
# The released names carry the web page's line breaks, comments and the teams' names.
VALUE_SYSTEMS = (
    "Human VALUE baseline",
    "craig.starr (ensemble)",
    "DuKG",
    "HERO (AT->ST, PT+FT)",
    "HERO (AT->ST, FT-only)",
    "HERO (ST, PT+FT)",
    "HERO (ST, FT-only)",
)
VALUE_GROUPS = {
    "retrieval": ["TVR", "How2R", "YC2R", "VATEX-EN-R"],
    "question answering": ["TVQA", "How2QA", "VIOLIN", "VLEP"],
    "captioning": ["TVC", "YC2C", "VATEX-EN-C"],
}


def numbered(names: Iterable[str]) -> list[str]:
    """Number the names that several systems share, since a label must be unique.

    >>> numbered(["RefBERT", "T5", "RefBERT"])
    ['RefBERT (1)', 'T5', 'RefBERT (2)']
    """
    given = pd.Series(list(names), dtype=object)
    count = given.groupby(given).cumcount() + 1
    shared = given.duplicated(keep=False)
    return [
        f"{name} ({number})" if is_shared else name
        for name, number, is_shared in zip(given, count, shared, strict=True)
    ]


def submissions(file: str, model_field: int) -> pd.DataFrame:
    """Read a leaderboard as copied from its web page: the team, the model and more in one cell.

    The first cell of a row holds fields parted by tabs or many blanks. The model's name is that of
    number `model_field`, from 0; a baseline, printed under its team's name, has it in its last one.
    """
    path = fetch_file(file)
    with path.open(encoding="utf-8") as stream:
        header = [cell.strip() for cell in stream.readline().split(",")]
    table = pd.read_csv(path, header=None, skiprows=1, skipinitialspace=True, dtype=str)
    # XTREME's rows have an empty cell after the name, of which the header knows nothing.
    table = table.dropna(axis="columns", how="all").set_axis(header, axis="columns")
    fields = [re.split(r"\t|\s{2,}", cell.strip()) for cell in table.pop("Model")]
    models = [found[min(model_field, len(found) - 1)].strip(" -") for found in fields]
    numbers = {name: cells.str.strip().to_numpy(float) for name, cells in table.items()}
    return pd.DataFrame(numbers, index=pd.Index(numbered(models), name="system"))


def with_metrics_apart(name: str) -> tuple[pd.DataFrame, dict[str, list[str]]]:
    """Read a leaderboard as printed, "a/b" into two columns; return also task -> its columns."""
    printed = pd.read_csv(fetch_file(f"votenrank/{name}.csv"), dtype=str)
    scores: dict[str, NDArray[np.float64]] = {}
    columns: dict[str, list[str]] = {}
    for task in map(str, printed.loc[:, FIRST_TASK[name] :]):
        metrics = METRICS[name].get(task, ())
        columns[task] = [f"{task} ({metric})" for metric in metrics] or [task]
        for part, column in enumerate(columns[task]):
            cells = printed[task].str.split("/").str[part]
            scores[column] = cells.mask(cells.isin(["-", "NaN"])).to_numpy(float)
    return pd.DataFrame(scores, pd.Index(numbered(printed["Model"]), name="system")), columns


def weighed(columns: Mapping[str, list[str]]) -> pd.DataFrame:
    """Tell the group and the weight of each column: a task 1 (two metrics 0.5 each)."""
    return pd.DataFrame(
        {
            "task": name,
            "group": "MNLI" if task.startswith("MNLI") else task,
            "weight": 0.0 if task in DIAGNOSTIC else 1 / len(names),
        }
        for task, names in columns.items()
        for name in names
    )


def user_preferences() -> pd.DataFrame:
    """Put case study 4's performance, efficiency and fairness side by side."""
    parts = {
        group: read_csv(fetch_file(f"votenrank/case4_{group}.csv"), index_col="model_name")
        for group in ("performance", "efficiency", "fairness")
    }
    scores = pd.concat(parts, axis="columns", names=["group", "task"]).rename_axis(index="system")
    # concat may sort the systems by name; they stand as in the table of performance.
    return scores.loc[parts["performance"].index].T


def task_tables() -> dict[str, pd.DataFrame]:
    """Read every table: the name of its file -> the frame that is written there."""
    glue, glue_columns = with_metrics_apart("glue")
    superglue, superglue_columns = with_metrics_apart("superglue")
    value = read_csv(fetch_file("votenrank/value.csv"), na_values="-").loc[:, "TVR":]
    about = {
        "glue": weighed(glue_columns),
        "superglue": weighed(superglue_columns),
        "value": pd.DataFrame(
            {"task": task, "group": group, "weight": 1.0}
            for group, tasks in VALUE_GROUPS.items()
            for task in tasks
        ),
    }
    xtreme = submissions("best_systems/xtreme.csv", model_field=0)
    averaged = {
        f"{name}_submissions": submissions(f"best_systems/{name}.csv", model_field=1)
        for name in ("glue", "superglue")
    } | {"xtreme": xtreme}
    return {
        "glue": glue,
        "superglue": superglue,
        "value": value.set_axis(pd.Index(VALUE_SYSTEMS, name="system")),
        "columns": pd.concat(about, names=["table", None]).droplevel(1),
        "user_preferences": user_preferences(),
        # The leaderboards' own average is no task.
        **{name: table.drop(columns="Score") for name, table in averaged.items()},
        "xtreme_as_released": xtreme.iloc[:, :-1].set_axis(xtreme.columns[1:], axis="columns"),
        "gem": submissions("missing_scores/gem.csv", model_field=0),
    }


def write(folder: Path) -> None:
    """Write every table, and the votes of Chatbot Arena as they were released."""
    for name, table in task_tables().items():
        table.to_csv(folder / f"{name}.csv", lineterminator="\n")
    votes = fetch_file("chatbot_arena/chatbotarena_20240814.json")
    (folder / "chatbot_arena.json").write_bytes(votes.read_bytes())


if __name__ == "__main__":
    write(TABLES)
