"""Which side of a table the systems are on, by the names of its rows and columns."""

import re
from ast import literal_eval

import pytest

import nbrank


def test_rows_that_are_called_like_metrics_are_tasks():
    with pytest.warns(UserWarning, match="'WER', 'F1' are called like metrics"):
        board = nbrank.read(b"name,ours,theirs\nWER,2.4,5.7\nF1,90.1,89.0\n")
    assert board.lower_is_better == ("WER",)
    assert [*board.systems] == ["ours", "theirs"]


def test_losses_may_be_the_systems():
    with pytest.warns(UserWarning, match="the rows look like tasks"):
        board = nbrank.read(b"variant,t1,t2\nfocal loss,2.4,5.7\ndice loss,90.1,89.0\n")
    assert [*board.systems] == ["focal loss", "dice loss"]


@pytest.mark.parametrize("head", ["Game", "Criterion"])
def test_numbered_judges_are_no_systems(head):
    doubts = nbrank.read(f"{head},Judge 1,Judge 2\nx,2,2.5\ny,2.5,1\n".encode()).reading.doubts
    assert doubts == {
        head: f"its name is that of tasks: roles={{'{head}': 'task'}} turns the table"
    }


def test_distances_of_races_are_no_sizes_of_systems():
    board = nbrank.read(b"name,100m,1500m\nAnn,12.4,280\nBob,11.9,275\n")
    assert [*board.systems] == ["Ann", "Bob"]
    assert set(board.reading.doubts) == {"100m", "1500m"}


REPORT = "precision,recall,f1-score,support\ncat,.9,.8,.85,100\ndog,.7,.75,.72,80\n"
ENDS = "accuracy,,,.78,180\nmacro avg,.8,.78,.79,180\nweighted avg,.81,.78,.79,180\n"


@pytest.mark.parametrize("head", ["class", ""])
def test_the_report_of_a_classifier_leads_to_the_files_of_several(tmp_path, head):
    text = f"{head},{REPORT}{ENDS}"
    with pytest.warns(UserWarning, match="'accuracy', 'macro avg'|'support'"):
        board = nbrank.read(text.encode())
    assert [*board.systems] == ["cat", "dog"]
    assert [*board.tasks] == ["precision", "recall", "f1-score"]
    (doubt,) = board.reading.doubts.values()
    alone, call = map(literal_eval, re.findall(r"roles=(\{[^}]*\})", doubt))
    with pytest.warns(UserWarning, match="set aside"):
        assert not nbrank.read(text.encode(), roles=alone).reading.doubts
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(f"{head},{REPORT}", encoding="utf-8")
    with pytest.warns(UserWarning, match="'support'"):
        board = nbrank.read(sorted(tmp_path.iterdir()), roles=call)
    assert [*board.systems] == ["a", "b"]
    assert ("cat", "recall") in board.tasks


def test_models_with_the_usual_metrics_are_systems():
    board = nbrank.read(b",precision,recall,f1\nours,.9,.8,.85\ntheirs,.7,.75,.72\n")
    assert not board.reading.doubts


def test_classes_of_each_model_are_tasks_of_several_scores():
    text = b"model,class,recall,f1\nA,cat,.8,.85\nA,dog,.7,.75\nB,cat,.9,.87\nB,dog,.6,.65\n"
    call = "'class': 'task', 'recall': 'score', 'f1': 'score'}"
    with pytest.raises(ValueError, match=re.escape(call)), pytest.warns(UserWarning, match="class"):
        nbrank.read(text)
    board = nbrank.read(text, roles={"class": "task", "recall": "score", "f1": "score"})
    assert ("dog", "f1") in board.tasks


def test_kinds_of_known_systems_in_columns_are_systems():
    names = [f"{how} {what}" for what in ("CatBoost", "XGBoost") for how in ("Raw", "Best")]
    page = f"| |{'|'.join(names)}|\n|-|-|-|-|-|\n|Adult|.1|.2|.3|.4|\n|Kick|.2|.3|.1|.4|\n"
    with pytest.warns(UserWarning, match="are called like systems"):
        board = nbrank.read(page.encode())
    assert [*board.tasks] == ["Adult", "Kick"]


def test_metrics_within_systems_of_json_are_tasks():
    text = b'{"A": {"acc": 0.81, "loss": 0.5}, "B": {"acc": 0.9, "loss": 0.4}}'
    with pytest.warns(UserWarning, match="'acc', 'loss' are read as tasks"):
        assert nbrank.read(text).lower_is_better == ("loss",)


def test_a_column_of_improvements_is_no_system_of_a_turned_table():
    rows = ["Benchmark,Base,Ours,Improvement", "a,14.0,7.0,-50.0%", "b,15.0,4.5,-70.0%"]
    with pytest.warns(UserWarning, match="'Improvement' .it compares systems"):
        board = nbrank.read("\n".join(rows).encode(), transpose=True)
    assert board.systems.tolist() == ["Base", "Ours"]


def test_a_range_in_one_cell_does_not_leave_a_single_system():
    rows = ["|query|DuckDB|Other|", "|-|-|-|", "|a|~1 ms|39 ms|", "|b|~1–2 ms|38 ms|"]
    text = "\n".join(rows).encode()
    with pytest.raises(ValueError, match="'DuckDB' holds '~1–2 ms', which is no number") as refused:
        nbrank.read(text, transpose=True)
    assert "na=['~1–2 ms']" in str(refused.value)
    with pytest.warns(UserWarning, match="not exact"):
        board = nbrank.read(text, transpose=True, na=["~1–2 ms"])
    assert board.systems.tolist() == ["DuckDB", "Other"]


PROPERTIES = "Property,Unit,A,B\nDensity,g/cm3,1.01,.98\nViscosity,mPas,.89,.95\nHeat,kJ,75,73\n"


@pytest.mark.parametrize("unit", ["Unit", "in"])
def test_rows_with_a_unit_each_are_tasks(unit):
    text = PROPERTIES.replace("Unit", unit).replace("mPas", "ms")
    with pytest.warns(UserWarning, match=f"{unit!r} (holds a unit for each|.words)"):
        board = nbrank.read(text.encode())
    assert [*board.systems] == ["A", "B"]
    assert [*board.tasks] == ["Density", "Viscosity", "Heat"]


def test_rows_compared_with_a_reference_are_tasks_and_it_is_no_system():
    text = "what,A,B,Experiment\nx,9e-4,8e-4,9.1e-4\ny,25,27,26\nz,7000,8000,7400\n"
    with pytest.warns(
        UserWarning, match="'Experiment' .what the systems are compared with|with 'E"
    ):
        board = nbrank.read(text.encode())
    assert [*board.systems] == ["A", "B"]


def test_rows_that_differ_by_orders_of_magnitude_are_doubted():
    text = "what,A,B,C\nx,2.9,2.8,2.1\ny,250,270,260\nz,70000,80000,74000\n"
    assert nbrank.read(text.encode()).reading.doubts["what"] == (
        "the scores of its rows differ by orders of magnitude, as those of tasks do: "
        "roles={'what': 'task'} turns the table"
    )
    assert [*nbrank.read(text.encode(), roles={"what": "task"}).systems] == ["A", "B", "C"]
    assert "model" not in nbrank.read(text.replace("what", "model").encode()).reading.doubts


def test_rows_most_of_which_are_called_like_metrics_are_tasks():
    text = b",A,B\nAccuracy,.5,.6\nPrecision,.7,.8\nF1,.6,.7\nInference speed,27,26\n"
    with pytest.warns(UserWarning, match="'Accuracy', 'Precision' are called like metrics"):
        assert [*nbrank.read(text).systems] == ["A", "B"]


@pytest.mark.parametrize(
    ("rows", "tasks", "lower"),
    [
        (
            "Dataset,Metric,GRU,SAS,Ours\nML,F1,.1,.13,.22\nML,MRR,.1,.08,.15\nNQ,MRR,.2,.4,.8\n",
            [("ML", "F1"), ("ML", "MRR"), ("NQ", "MRR")],
            (),
        ),
        (
            "Head,Metric,bpe,evo,kmer\namr,f1,.46,.61,.64\nfatty,rmse,.5,.41,.38\n",
            [("amr", "f1"), ("fatty", "rmse")],
            (("fatty", "rmse"),),
        ),
        (
            'Dataset,Entries,Metric,GRU,SAS\nHIV,"41,127",AUC,.82,.56\nQM8,"21,786",MAE,.4,.3\n',
            [("HIV", "AUC"), ("QM8", "MAE")],
            (("QM8", "MAE"),),
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:.*(set aside, not ranked|decides the mean)")
def test_rows_that_say_what_they_measure_are_tasks(rows, tasks, lower):
    with pytest.warns(UserWarning, match="since 'Metric' names what each of them measures"):
        board = nbrank.read(rows.encode())
    assert [*board.tasks] == tasks
    assert board.lower_is_better == lower
    assert "Entries" not in board.systems


def test_a_long_table_of_metrics_is_not_turned():
    rows = "model,dataset,metric,score\nA,d,f1,.5\nA,e,f1,.6\nB,d,f1,.7\nB,e,f1,.4\n"
    assert [*nbrank.read(rows.encode()).systems] == ["A", "B"]
