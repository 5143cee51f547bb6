"""Names of columns that cross systems with metrics, in a table with items in its rows."""

import warnings

import pytest

import nbrank

ANSWERS = b"question,gpt4_score,gpt4_time,llama_score,llama_time\nq1,.9,12,.8,3\nq2,.7,14,.9,4\n"
TOURS = (
    b"instance,optimal,LKH gap%,LKH time,GA gap%,GA time\n"
    b"berlin52,7542,0.0,0.1,2.3,4.5\neil76,538,0.0,0.3,3.9,6.1\nkroA100,21282,0.1,0.5,4.4,9.2\n"
)
PEOPLE = (
    b"participant,SUS_A,SUS_B,SUS_C,TLX_A,TLX_B,TLX_C\n"
    b"P1,72.5,80,65,45,33,60\nP2,70,85,60,50,30,55\nP3,67.5,77.5,70,41,38,58\n"
)


def read(content, **options):
    """Read a table whose warnings are looked at elsewhere."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return nbrank.read(content, **options)


@pytest.mark.parametrize(
    ("head", "names"),
    [
        ("question", ["gpt4_score", "gpt4_time", "llama_score", "llama_time"]),
        ("name", ["gpt4_score", "gpt4_time", "llama_score", "llama_time"]),
        ("dataset", ["F1 (RF)", "F1 (SVM)", "time (RF)", "time (SVM)"]),
        ("problem", ["solverATime", "solverASteps", "solverBTime", "solverBSteps"]),
        ("target", ["AlphaF GDT_TS", "Rosetta GDT_TS", "ESMF GDT_TS", "Rose GDT_TS"]),
        ("function", ["PSO mean", "PSO best", "GA mean", "GA best"]),
        ("pattern", ["base_ms", "speedup", "rust_ms", "crab_ms"]),
    ],
)
def test_columns_that_cross_systems_with_metrics_are_read_by_system(head, names):
    cells = [[f"{row + at / 7:.2f}" for at in range(4)] for row in range(1, 5)]
    rows = ["".join(f",{cell}" for cell in row) for row in cells]
    table = f"{head},{','.join(names)}\n" + "\n".join(f"it{at}{row}" for at, row in enumerate(rows))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        board = nbrank.read(table.encode())
    told = " ".join(str(item.message) for item in said)
    assert "cross systems (" in told
    assert f"if the rows are systems, say roles={{'{head}': 'system'}}" in told
    assert all(any(str(system) in name for name in names) for system in board.systems)
    assert not any(str(system).startswith("it") for system in board.systems)
    by_rows = read(table.encode(), roles={head: "system"})
    assert list(by_rows.systems) == ["it0", "it1", "it2", "it3"]


def test_each_metric_of_an_item_is_a_task_in_the_group_of_the_item():
    board = read(ANSWERS)
    assert board.scores.columns.tolist() == [
        ("q1", "score"), ("q2", "score"), ("q1", "time"), ("q2", "time")
    ]  # fmt: skip
    assert board.scores.loc["llama", ("q2", "time")] == 4
    assert board.reading["role"].tolist() == ["task", *["score"] * 4]


def test_the_direction_of_one_column_is_that_of_its_metric():
    for roles in ({"time": "lower"}, {"gpt4_time": "lower", "llama_time": "lower"}):
        board = read(ANSWERS, roles=roles)
        assert board.lower_is_better == (("q1", "time"), ("q2", "time"))


@pytest.mark.parametrize("content", [ANSWERS, TOURS, PEOPLE.replace(b"SUS", b"F1")])
def test_roles_that_are_kept_read_a_grid_in_the_same_way(content):
    board = read(content)
    again = read(content, roles=board.reading.to_roles())
    assert again.scores.equals(board.scores)
    assert again.lower_is_better == board.lower_is_better


def test_a_column_of_what_systems_are_compared_with_is_no_part_of_a_grid():
    board = read(TOURS)
    assert list(board.systems) == ["LKH", "GA"]
    assert board.reading.set_index("column").loc["optimal", "role"] == "description"


def test_deviations_beside_means_are_errors_of_their_metric():
    table = "dataset,A acc,A acc_std,B acc,B acc_std\nd1,90,1,80,2\nd2,80,1.5,70,3\nd3,85,1,77,1\n"
    board = read(table.encode())
    assert board.scores.shape == (2, 3)
    assert board.errors.loc["B"].tolist() == [2, 3, 1]


def test_runs_and_several_columns_that_name_a_row_stay_what_they_are():
    rows = ["d1,1,8,8,7,7", "d1,2,8,8,7,6", "d2,1,7,8,6,6", "d2,2,8,8,6,7"]
    table = "\n".join(["dataset,seed,A acc,A F1,B acc,B F1", *rows])
    assert read(table.encode()).reading["role"].tolist()[:2] == ["task", "run"]
    named = read(table.replace("seed", "n_problem").encode())
    assert [task[0] for task in named.scores.columns[:4]] == [
        "d1 / 1",
        "d1 / 2",
        "d2 / 1",
        "d2 / 2",
    ]


def test_quantities_without_a_known_name_are_doubted_with_a_call_that_reads_them():
    doubt = read(PEOPLE).reading["doubt"].iloc[0]
    assert doubt == (
        "the columns seem to cross systems ('A', 'B', 'C') with metrics ('SUS', 'TLX'): "
        "roles={'participant': 'task'} turns the table"
    )
    board = read(PEOPLE, roles={"participant": "task"})
    assert list(board.systems) == ["A", "B", "C"]
    assert board.scores.shape[1] == 6


@pytest.mark.parametrize(
    "names",
    [
        "model,GLUE acc,GLUE f1,SQuAD acc,SQuAD f1",
        "model,en_WER,en_CER,de_WER,de_CER",
        ",train acc,test acc,train loss,test loss",
        "dataset,train acc,test acc,train loss,test loss",
        "dataset,GLUE acc,GLUE f1,SQuAD acc,SQuAD f1",
        "dataset,acc_low,acc_high,F1_low,F1_high",
        ",en_WER,en_CER,de_WER,de_CER",
    ],
)
def test_tasks_splits_and_intervals_crossed_with_metrics_are_no_systems(names):
    rows = "".join(f"{name},{at + 61.2},{at + 62.1},{at + 55},{at + 57.4}\n"
                   for at, name in enumerate("ABCD"))  # fmt: skip
    board = read(f"{names}\n{rows}".encode())
    assert list(board.systems) == [*"ABCD"]


def test_a_description_of_the_systems_is_not_taken_for_items():
    table = "User,Student,Rank - Points,Rank - Intervals\n" + "".join(
        f"{name},{'YN'[at % 2]},{at + 1},{6 - at}\n" for at, name in enumerate("ABCDEF")
    )
    assert list(read(table.encode()).systems) == [*"ABCDEF"]
