"""One table in many dressings: it is read right, or what is in doubt is named with a call.

A dressing changes names, units, arrows, the order of columns, separators and layouts, and adds what
tables have beside scores: averages, ids, errors, sizes, links. What is read in silence is right.
"""

import io
import re
import warnings

import numpy as np
import pandas as pd
import pytest

import nbrank

SYSTEMS = ["GPT-4", "Llama-70B", "ERM", "nova-2", "Tranq L", "B (base)", "kite", "Ozone v1.2",
           "mint", "Quill-XL", "Sable", "Thorn"]  # fmt: skip
SYSTEM_HEADS = ["model", "Model Name", "system", "Method", "submission", "agent", "name"]
TASK_HEADS = ["dataset", "task", "Benchmark", "Corpus", "DMS ID", "Task-Name"]
HIGHER = ["maths", "law", "MMLU", "GSM8K", "spelling", "chess", "F1", "recall", "rte", "news QA",
          "accuracy", "AUC", "reading", "TimeDial", "throughput (img/s)"]  # fmt: skip
LOWER = ["WER", "Logloss", "RMSE_test", "top1_err", "latency_ms", "Time, s", "perplexity", "mCE",
         "Error Rate", "val_loss", "Energy (J)", "FPR95", "LPIPS", "peak_memory_mb"]  # fmt: skip
DOUBTFUL = ["cost", "energy", "time", "price", "duration"]
DOWN = [" ↓", " (↓)", " ⬇", " (lower is better)", r" $\downarrow$"]


class Dressing:
    """A known table and the file that it was made into."""

    def __init__(self, seed):
        self.rng = rng = np.random.default_rng(seed)
        self.n = int(rng.integers(4, 13))
        self.systems = [str(name) for name in rng.permutation(SYSTEMS)[: self.n]]
        n_high, n_low = int(rng.integers(2, 7)), int(rng.integers(0, 4))
        high = [str(name) for name in rng.permutation(HIGHER)[:n_high]]
        low = [str(name) for name in rng.permutation(LOWER)[:n_low]]
        if rng.random() < 0.08:
            low.append(str(rng.choice(DOUBTFUL)))
        if rng.random() < 0.3:
            low.append(f"score {int(rng.integers(9))}{rng.choice(DOWN)}")
        self.lower = set(low)
        self.tasks = [str(name) for name in rng.permutation([*high, *low])]
        skill = rng.normal(0, 1, self.n)
        columns = {task: self.make_scores(task, skill) for task in self.tasks}
        self.truth = pd.DataFrame(columns, index=self.systems)
        self.signs = np.where([task in self.lower for task in self.tasks], -1.0, 1.0)

    def make_scores(self, task, skill):
        """Scores with two decimals that follow the skill; times and losses the other way."""
        noisy = skill + self.rng.normal(0, 0.8, self.n)
        sign = -1 if task in self.lower else 1
        return np.round(60 + 9 * sign * noisy + self.rng.uniform(-15, 15), 2)

    def build(self):
        """The file's content, and how it was made."""
        kinds = ["wide"] * 5 + ["long", "long", "turned", "groups", "markdown", "excel-like"]
        self.kind = str(self.rng.choice(kinds))
        return getattr(self, f"build_{self.kind.partition('-')[0]}")()

    # ------------------------------------------------------------------------------ layouts

    def build_wide(self, decorate=True):
        frame = self.truth.astype(object).copy()
        if decorate:
            frame = self.decorate(frame)
        frame.insert(int(self.rng.random() < 0.15), self.pick(SYSTEM_HEADS), self.systems)
        separator = self.pick([",", ",", ";", "\t"])
        return frame.to_csv(index=False, sep=separator, decimal="." if separator != ";" else ",")

    def build_excel(self):
        return self.build_wide(decorate=False)

    def build_markdown(self):
        frame = self.truth.astype(str)
        if self.rng.random() < 0.5:
            frame = frame.map(lambda cell: f"**{cell}**" if self.rng.random() < 0.2 else cell)
        if self.rng.random() < 0.5:
            frame = frame.map(lambda cell: f"{cell} ± {self.rng.uniform(0.1, 0.9):.2f}")
        frame.insert(0, self.pick(SYSTEM_HEADS), self.systems)
        rows = [list(frame.columns), ["---"] * frame.shape[1], *frame.to_numpy().tolist()]
        return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in rows) + "\n"

    def build_long(self):
        frame = self.truth.rename_axis("x").reset_index().melt("x")
        heads = {"x": self.pick(SYSTEM_HEADS[:-1]), "variable": self.pick(["dataset", "task"]),
                 "value": self.pick(["score", "value", "result"])}  # fmt: skip
        frame = frame.rename(columns=heads).sample(frac=1, random_state=int(self.rng.integers(99)))
        if self.rng.random() < 0.3:
            parts = [frame.assign(seed=seed) for seed in range(3)]
            frame = pd.concat(parts, ignore_index=True)
        return frame[self.rng.permutation(frame.columns)].to_csv(index=False)

    def build_turned(self):
        frame = self.truth.T.rename_axis(self.pick(TASK_HEADS)).reset_index()
        return frame.to_csv(index=False)

    def build_groups(self):
        half = max(1, len(self.tasks) // 2)
        above = ["", "skills", *[""] * (half - 1), *["other"] * (len(self.tasks) - half)]
        rows = [above, ["model", *self.tasks],
                *([name, *map(str, row)] for name, row in
                  zip(self.systems, self.truth.to_numpy(), strict=True))]  # fmt: skip
        text = io.StringIO()
        pd.DataFrame(rows).to_csv(text, index=False, header=False)
        return text.getvalue()

    # ------------------------------------------------------------------------------ decorations

    def decorate(self, frame):
        chance, rng = self.rng.random, self.rng
        if chance() < 0.3:
            same = [task for task in self.tasks if task not in self.lower]
            if len(same) > 1:
                frame[self.pick(["average", "Avg.", "Mean score", "Overall"])] = (
                    self.truth[same].mean(axis=1).round(2)
                )
        if chance() < 0.2:
            frame[self.pick(["params_b", "act_param", "num_layers", "Model size (B)"])] = (
                rng.integers(1, 400, self.n)
            )
        if chance() < 0.2:
            frame[self.pick(["run_id", "team_id", "submission id"])] = rng.permutation(self.n) + 100
        if chance() < 0.2:
            frame["link"] = [f"https://a.b/{n}" for n in range(self.n)]
        if chance() < 0.15:
            frame["Year"] = rng.integers(2015, 2026, self.n)
        if chance() < 0.2:
            task = self.tasks[0]
            name = self.pick([f"{task}_stderr", f"std_{task}", f"{task} se"])
            frame[name] = rng.uniform(0.1, 2, self.n).round(2)
        if chance() < 0.15:
            task = self.tasks[-1]
            frame[f"{task}_lower"] = (self.truth[task] - 1.5).round(2)
            frame[f"{task}_upper"] = (self.truth[task] + 1.5).round(2)
        if chance() < 0.15:
            frame["rank"] = range(1, self.n + 1)
        if chance() < 0.2:
            gaps = rng.random(self.truth.shape) < 0.1
            for at, task in enumerate(self.tasks):
                keep = ~gaps[:, at]
                frame[task] = frame[task].where(keep, self.pick(["-", "", "n/a"]))
                self.truth[task] = self.truth[task].where(keep)
        if chance() < 0.3:
            frame = frame[rng.permutation(frame.columns)]
        if chance() < 0.15:
            for task in self.tasks:
                frame[task] = [f"{cell}%" if isinstance(cell, float) else cell
                               for cell in frame[task]]  # fmt: skip
        return frame

    def pick(self, names):
        return names[int(self.rng.integers(len(names)))]


def outcome(seed):
    """Whether a dressing is read "right", "named" (as doubtful, with a call) or "wrong"."""
    dressing = Dressing(seed)
    content = dressing.build()
    # Systems without a single score are left out, and named.
    dressing.systems = [*dressing.truth.dropna(how="all").index]
    dressing.truth = dressing.truth.loc[dressing.systems]
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            board = nbrank.read(content.encode())
        except ValueError as refused:
            told = str(refused)
            kind = "named" if re.search(r"roles=|table=|na=|write|name", told) else "wrong"
            return kind, dressing, content, told
    told = " ".join(str(item.message) for item in said)
    read = board.to_frame()
    expected = dressing.truth * dressing.signs
    read.columns = [name[-1] if isinstance(name, tuple) else name for name in read.columns]
    same_tasks = set(map(str, read.columns)) == set(dressing.tasks)
    same_systems = set(map(str, read.index)) == set(dressing.systems)
    if same_tasks and same_systems:
        both = read.rename(index=str).loc[dressing.systems, dressing.tasks]
        if np.allclose(both.to_numpy(), expected.to_numpy(), equal_nan=True):
            return "right", dressing, content, told
    wrong = [task for task in dressing.tasks if not is_right(task, read, dressing, expected)]
    extra = [name for name in map(str, read.columns) if name not in dressing.tasks]
    doubts = {
        str(key[-1] if isinstance(key, tuple) else key)
        for key, doubt in board.reading.doubts.items()
        if "roles=" in doubt
    }
    named = all(name in doubts or f"'{name}'" in told for name in (*wrong, *extra))
    is_named = named and bool(wrong or extra)
    return ("named" if is_named else "wrong"), dressing, content, f"{doubts} {told}"


def is_right(task, read, dressing, expected):
    """Whether a task's scores are those of the known table."""
    if task not in read.columns:
        return False
    column = read.rename(index=str)[task].reindex(dressing.systems)
    return np.allclose(column, expected[task], equal_nan=True)


@pytest.mark.parametrize("block", range(6))
def test_a_table_in_many_dressings_is_never_read_wrong_in_silence(block):
    results = [outcome(seed) for seed in range(10 * block, 10 * block + 10)]
    assert [item[2:] for item in results if item[0] == "wrong"] == []
    assert sum(item[0] == "right" for item in results) >= 8


@pytest.mark.full
def test_of_500_dressings_at_least_400_are_read_right_unasked():
    results = [outcome(seed)[0] for seed in range(500)]
    assert results.count("wrong") == 0
    assert results.count("right") >= 400
