"""Several files as one table: a file for each system, task or run, or parts of a long table."""

import json

import pytest

import nbrank
from nbrank.frontends import command_line
from nbrank.readers.tables.several_files import name_files, read_tables


@pytest.fixture
def write(tmp_path):
    def write_files(**texts):
        paths = [tmp_path / f"{name}.{'json' if text[0] == '{' else 'csv'}" for name, text in
                 texts.items()]  # fmt: skip
        for path, text in zip(paths, texts.values(), strict=True):
            path.write_text(text)
        return paths

    return write_files


def rows(frame):
    return [list(frame.columns), *frame.astype(str).to_numpy().tolist()]


def test_a_file_a_system_of_tasks(write):
    files = write(A="benchmark,solved\nt1,1\nt2,2\n", B="benchmark,solved\nt1,3\nt2,4\n")
    with pytest.warns(UserWarning, match=r"each as a system \('A', 'B'\).*'benchmark'; if that"):
        result = rows(read_tables(files))
    assert result[0] == ["system", "benchmark", "solved"]
    assert result[1:] == [["A", "t1", "1"], ["A", "t2", "2"], ["B", "t1", "3"], ["B", "t2", "4"]]


def test_a_file_a_system_of_one_record(write):
    files = write(A=json.dumps({"clean": 90.5, "pgd": 50}), B=json.dumps({"clean": 91, "pgd": 49}))
    with pytest.warns(UserWarning, match="each has one row"):
        result = rows(read_tables(files))
    assert result == [["system", "clean", "pgd"], ["A", "90.5", "50"], ["B", "91", "49"]]


def test_a_file_a_task(write):
    files = write(imagenet="model,top1\nA,90\nB,80\n", sketch="model,top1\nB,40\nC,30\n")
    with pytest.warns(UserWarning, match="each as a task"):
        result = rows(read_tables(files))
    assert result[0] == ["model", "imagenet", "sketch"]
    assert result[1:] == [["A", "90", ""], ["B", "80", "40"], ["C", "", "30"]]


def test_a_file_a_task_of_two_scores_makes_groups(write):
    files = write(x="model,f1,acc\nA,1,2\nB,3,4\n", y="model,f1,acc\nA,5,6\nB,7,8\n")
    result = rows(read_tables(files, file_role="task"))
    assert result[0] == ["model", ("x", "f1"), ("x", "acc"), ("y", "f1"), ("y", "acc")]
    assert result[1] == ["A", "1", "2", "5", "6"]


def test_a_file_a_run(write):
    files = write(seed1="model,t\nA,1\nB,2\n", seed2="model,t\nA,3\nB,4\n")
    with pytest.warns(UserWarning, match="each as a run"):
        result = rows(read_tables(files))
    assert result[0] == ["run", "model", "t"]
    assert result[3] == ["seed2", "A", "3"]


def test_parts_of_one_long_table(write):
    files = write(p1="model,task,score\nA,t,1\n", p2="model,task,score\nB,t,2\n")
    with pytest.warns(UserWarning, match="each as a part"):
        assert len(read_tables(files)) == 2


def test_what_nothing_says_is_asked(write):
    files = write(a="x,y\nu,1\nv,2\n", b="x,y\nu,3\nv,4\n")
    with pytest.raises(ValueError, match=r"say which, roles=\{'file': 'system'\}"):
        read_tables(files)
    assert rows(read_tables(files, file_role="system"))[0] == ["system", "x", "y"]
    assert rows(read_tables(files, file_role="task"))[0] == ["x", "a", "b"]


def test_marks_of_missing_and_numbers_of_tables_are_those_of_each_file(write):
    files = write(A="task,s\nt1,Ret\nt2,2\n", B="task,s\nt1,3\nt2,Ret\n")
    frame = read_tables(files, file_role="system", na=["Ret"])
    assert frame["s"].isna().tolist() == [True, False, False, True]
    assert frame["s"].dropna().tolist() == ["2", "3"]


def test_the_same_file_twice_no_file_and_other_words_are_refused(write):
    files = write(A="model,t\nA,1\nB,2\n")
    with pytest.raises(ValueError, match="given twice"):
        read_tables(files * 2)
    with pytest.raises(ValueError, match="no files given"):
        read_tables([])
    with pytest.raises(ValueError, match="file_role='year' is unknown"):
        read_tables(files, file_role="year")


def test_a_system_twice_in_a_task_is_told_with_what_mends_it(write):
    files = write(a="model,t\nA,1\nA,2\n", b="model,t\nA,3\n")
    with pytest.raises(ValueError, match=r"'a' names a system more than once.*'part'"):
        read_tables(files, file_role="task")
    assert len(read_tables(files, file_role="part")) == 3


def test_an_only_file_is_its_table(write):
    assert len(read_tables(write(A="model,t\nA,1\nB,2\n"))) == 2


def test_files_are_called_by_what_tells_them_apart():
    assert name_files(["a/x.csv.gz", "a/y.csv"]) == ["x", "y"]
    assert name_files(["r/A/1/res.json", "r/B/1/res.json"]) == ["A", "B"]
    assert name_files(["A/x.csv", "B/x.csv", "B/y.csv"]) == ["A/x", "B/x", "B/y"]


def test_read_and_the_command_line_take_several_files(write, capsys):
    files = write(A="task,score\nt1,1\nt2,2\n", B="task,score\nt1,3\nt2,4\n")
    with pytest.warns(UserWarning, match="each as a system"):
        board = nbrank.read(files)
    assert board.scores.to_dict("index") == {"A": {"t1": 1, "t2": 2}, "B": {"t1": 3, "t2": 4}}
    code = command_line.main([*map(str, files), "--rule", "borda", "--format", "csv"])
    assert (code, capsys.readouterr().out.splitlines()[1]) == (0, "B,1,2.0")


def test_what_the_message_says_reads_files_otherwise(write, capsys):
    files = write(a="x,y\nu,1\nv,2\n", b="x,y\nu,3\nv,4\n")
    assert list(nbrank.read(files, roles={"file": "task"}).scores.columns) == ["a", "b"]
    assert command_line.main([*map(str, files)]) == 2
    assert "--system file" in capsys.readouterr().err
    rule = ["--rule", "borda", "--format", "csv"]
    assert command_line.main([*map(str, files), "--task", "file", *rule]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "v,1,2.0"
