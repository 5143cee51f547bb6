"""Some 200 broken files, each from a sound one: no traceback, and no rank for what is no score.

A file is either refused in one line that names it, or ranked; and what is ranked then is just
what the sound file holds, or a warning names what was left out.
"""

import io
import itertools
import json

import numpy as np
import pandas as pd
import pytest
from short_forms import read_frame

from nbrank.frontends import command_line

SYSTEMS = [f"system {letter}" for letter in "ABCDE"]
TASKS = ["mmlu", "gsm8k", "drop"]
VALUES = np.random.default_rng(3).integers(100, 999, (5, 3)) / 10
SOUND = pd.DataFrame(VALUES, index=pd.Index(SYSTEMS, name="model"), columns=TASKS)

#: A cell that is no score, and is not the lack of one either.
CELLS = (
    "x", "0,85", "12,3,4", "1:23", "85/100", "1.2.3", "--5", "7B", "#REF!", "=A1+B2", "1_000", "½",
    "٣", "0x1F", "1e", "ten", "<td>", '{"a": 1}', "[1, 2]", "5 of 10", "12;3", "3 ± x", "(4)", "%",
)  # fmt: skip
#: Columns that describe the systems: their names, and their cells.
DESCRIPTIONS = {
    "params (B)": [7, 13, 70, 8, 3],
    "Size": ["7B", "13B", "70B", "8B", "3B"],
    "rank": [1, 2, 3, 4, 5],
    "License": ["MIT"] * 5,
    "url": [f"https://a.example/{n}" for n in range(5)],
    "released": ["2024-05-01"] * 5,
    "open": [True, False, True, True, False],
    "Average": VALUES.mean(axis=1).round(2),
    "who knows": VALUES.mean(axis=1).round(4),
    "total of all": VALUES.sum(axis=1).round(4),
    "latency": [3.5, -1, 2.25, -1, 9.0],
    "team": ["a", "b", "a", "c", "d"],
}
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252", "utf-16-le")


def csv(frame, **options):
    return frame.to_csv(**options).encode()


def with_cell(cell, row, task):
    table = SOUND.astype(object)
    table.loc[SYSTEMS[row], task] = cell
    return table


def broken_files():
    """Name -> ending and content."""
    for (number, cell), row in itertools.product(enumerate(CELLS), (0, 4)):
        table = with_cell(cell, row, TASKS[number % 3])
        yield f"cell {cell} in row {row}", ("csv", csv(table))
        if row:
            yield f"cell {cell} in JSON", (
                "json", table.reset_index().to_json(orient="records").encode()
            )  # fmt: skip
            yield f"cell {cell} in Markdown", ("md", markdown(table).encode())
    for name, column in DESCRIPTIONS.items():
        for place in (0, 1, 3):
            table = SOUND.copy()
            table.insert(place, name, column)
            yield f"{name} at {place}", ("csv", csv(table))
    for encoding in ENCODINGS:
        text = SOUND.rename(index={SYSTEMS[0]: "système"}).to_csv()
        yield f"encoded as {encoding}", ("csv", text.encode(encoding))
    for separator, decimal in itertools.product(";\t|,", ".,"):
        content = csv(SOUND, sep=separator, decimal=decimal)
        yield f"parted by {separator!r}, decimals {decimal!r}", ("csv", content)
    sound = csv(SOUND)
    for share in (0.1, 0.3, 0.5, 0.7, 0.9, 0.97):
        for ending, content in (("csv", sound), *BINARIES.items()):
            yield f"the first {share} of {ending}", (ending, content[: int(share * len(content))])
    rows = sound.decode().splitlines()
    changes = {
        "empty": [],
        "blank lines": ["", " ", ""],
        "names only": rows[:1],
        "no names": rows[1:],
        "a row twice": [*rows, rows[1]],
        "all rows twice": rows + rows[1:],
        "the names twice": [rows[0], *rows],
        "a row too long": [*rows[:2], rows[2] + ",5", *rows[3:]],
        "a row too short": [*rows[:2], rows[2].rpartition(",")[0], *rows[3:]],
        "a comma at each end": [row + "," for row in rows],
        "a task twice": [row + "," + row.rpartition(",")[2] for row in rows],
        "no system": [row.partition(",")[2] for row in rows],
        "a nameless system": [*rows, ",1,2,3"],
        "a nameless task": [rows[0].replace("gsm8k", ""), *rows[1:]],
        "a title above": ["Our results", *rows],
        "a note below": [*rows, "* with tools"],
        "an open quote": [*rows[:3], '"' + rows[3], *rows[4:]],
        "a column of numbers": ["id," + rows[0], *(f"{n},{r}" for n, r in enumerate(rows[1:]))],
        "numbers first": ["score," + rows[0][6:], *(f"{n}{r[8:]}" for n, r in enumerate(rows[1:]))],
        "an empty column": [row + ("," if n else ",new") for n, row in enumerate(rows)],
        "nothing scored": [rows[0], *(row.partition(",")[0] + ",,," for row in rows[1:])],
        "large integers": [rows[0], *(row[:9] + "9007199254740993,1,2" for row in rows[1:])],
        "infinite": [rows[0], *(row[:9] + "inf,-inf,1" for row in rows[1:])],
        "percent here and there": [rows[0], rows[1] + "%", *rows[2:]],
        "a ranking": ["model,rank,score", "A,1,3", "B,2,1"],
        "one system": rows[:2],
        "a NUL": [*rows[:2], rows[2].replace("9", "\0"), *rows[3:]],
    }
    for name, lines in changes.items():
        yield name, ("csv", "\n".join(lines).encode())
    yield "bytes at random", ("csv", np.random.default_rng(0).bytes(500))
    for name, content in {
        "a number": 5, "a list": [1, 2], "a text": "x", "an empty list": [], "an empty map": {},
        "lists": [[1, 2], [3]], "maps in maps": {"a": {"b": {"c": 1}}}, "null": None,
        "records of lists": [{"model": "A", "t": [1, 2]}, {"model": "B", "t": 3}],
        "records of maps": [{"model": "A", "t": {"x": 1}}, {"model": "B", "t": 3}],
    }.items():  # fmt: skip
        yield f"JSON: {name}", ("json", json.dumps(content).encode())
    yield from as_people_send_them(sound, rows)


def as_people_send_them(sound, rows):
    """Numbers of other countries, files under other names, and what stands around a table."""
    bodies = [row.split(",") for row in rows]
    text = sound.decode()
    for name, ending, content in (
        ("decimal commas", "csv", text.replace(",", ";").replace(".", ",")),
        ("decimal commas in quotes", "csv", quoted(bodies, ".", ",")),
        ("decimal commas without quotes", "csv", text.replace(".", ",")),
        ("points between thousands", "csv", quoted(bodies, ".", ".000,")),
        ("blanks between thousands", "csv", quoted(bodies, ".", " 000.")),
        ("thin blanks between thousands", "csv", quoted(bodies, ".", "\u202f000.")),
        ("apostrophes between thousands", "csv", quoted(bodies, ".", "'000.")),
        ("Arabic digits", "csv", text.translate({48 + n: 0x660 + n for n in range(10)})),
        ("currencies", "csv", quoted(bodies, ".", ".€")),
        ("footnotes", "csv", quoted(bodies, ".", "[1].")),
        ("fractions", "csv", quoted(bodies, ".", "/")),
        ("times", "csv", quoted(bodies, ".", ":")),
        ("ranges", "csv", quoted(bodies, ".", "-")),
        ("stars", "csv", quoted(bodies, ".", "★")),
        ("blanks for commas", "txt", text.replace(",", " ")),
        ("columns of one width", "txt", text.replace(",", "      ")),
        ("LaTeX", "tex", text.replace(",", " & ").replace("\n", " \\\\\n")),
        ("YAML", "yaml", "A:\n  mmlu: 1\nB:\n  mmlu: 2\n"),
        ("commas under the name of tabs", "tsv", text),
        ("CSV under the name of Excel", "xlsx", text),
        ("CSV under the name of old Excel", "xls", text),
        ("CSV under the name of Parquet", "parquet", text),
        ("CSV under the name of JSON", "json", text),
        ("CSV under the name of HTML", "html", text),
        ("CSV under the name of Markdown", "md", text),
        ("CSV under the name of a pack", "csv.gz", text),
        ("comments above", "csv", "# made by a script\n# on a day\n" + text),
        ("units below the names", "csv", "\n".join([rows[0], ",%,%,%", *rows[1:]])),
        ("three rows of names", "csv", "\n".join([",R,,M", ",en,,de", *rows])),
        ("a total below", "csv", "\n".join([*rows, "Total,1,2,3"])),
        ("a mean below", "csv", "\n".join([*rows, "Mean,1,2,3"])),
        ("a deviation below", "csv", "\n".join([*rows, "std,1,2,3"])),
        ("an average above", "csv", "\n".join([rows[0], "Average score,1,2,3", *rows[1:]])),
        ("a text", "txt", "Dear all,\nhere are our results.\n"),
        ("one word", "csv", "x"),
        ("a torn line of JSON", "jsonl", '{"model": "A", "mmlu": 1}\n{"model": "B", "mm'),
        ("JSON of many brackets", "json", "[" * 3000 + "]" * 3000),
        ("a page without a table", "html", "<html><p>Results</p></html>"),
        ("a page of an open table", "html", "<table><tr><td>model<td>mmlu<tr><td>A"),
    ):
        yield name, (ending, content.encode())
    for encoding in ("utf-32", "utf-16-be", "shift-jis", "cp500"):
        yield f"encoded as {encoding}", ("csv", text.replace("A", "ア").encode(encoding, "replace"))
    rng = np.random.default_rng(1)
    for ending, start in (
        ("xlsx", b""), ("xlsx", b"PK\x03\x04"), ("xls", b"\xd0\xcf\x11\xe0"), ("gz", b""),
        ("parquet", b"PAR1"), ("json", b"{"), ("html", b"<"), ("md", b"|"),
    ):  # fmt: skip
        yield f"{start!r} and bytes at random in {ending}", (ending, start + rng.bytes(900))


def quoted(bodies, old, new):
    """Every cell in quotes, with something else for its decimal point."""
    rows = [
        bodies[0],
        *([row[0], *(cell.replace(old, new) for cell in row[1:])] for row in bodies[1:]),
    ]
    return "\n".join(",".join(f'"{cell}"' for cell in row) for row in rows)


def markdown(table):
    table = table.reset_index()
    rows = [list(table.columns), ["---"] * len(table.columns), *table.values.tolist()]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in rows)


def excel():
    content = io.BytesIO()
    SOUND.to_excel(content)
    return content.getvalue()


BINARIES = {
    "parquet": SOUND.to_parquet(),
    "xlsx": excel(),
    "json": SOUND.reset_index().to_json(orient="records").encode(),
}
BROKEN = dict(broken_files())


def test_there_are_enough_of_them():
    assert len(BROKEN) >= 250


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.filterwarnings("ignore")
def test_a_broken_file_is_refused_in_one_line_or_read_right(name, tmp_path, monkeypatch, capsys):
    ending, content = BROKEN[name]
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"broken.{ending}").write_bytes(content)
    status = command_line.main([f"broken.{ending}", "--rule", "borda", "--format", "csv"])
    output, said = capsys.readouterr()
    assert status in (0, 2)
    assert "Traceback" not in said
    assert "a bug in nbrank" not in said
    assert all(line.startswith("nbrank: ") for line in said.splitlines())
    if status:
        assert output == ""
        assert said.splitlines()[-1].startswith("nbrank: error: ")
        assert "broken" in said or "this is a ranking" in said
        return
    # What is ranked are scores of the sound file, and all other columns are named.
    scores = read_frame(tmp_path / f"broken.{ending}")
    known = SOUND.rename(index={SYSTEMS[0]: "système"} if "système" in scores.index else {})
    for task in scores.columns:
        if task in TASKS:
            row = scores[task].dropna()
            assert (row == known[task].reindex(row.index)).all() or name in ALLOWED, name
        else:
            assert name in ALLOWED, name
    for column in scores.attrs["metadata"]:
        assert repr(column) in said


#: What is read in another way than the sound file, and rightly so.
ALLOWED = {
    "blanks between thousands",
    "units below the names",
    "thin blanks between thousands",  # the cells are made a thousand times as large
    "apostrophes between thousands",
    "JSON: maps in maps",
    "JSON: records of maps",
    "no names",
    "the first 0.3 of csv",  # which ends in the middle of a number
    "an empty column",
    "infinite",
    "large integers",
    "no system",
    "parted by ',', decimals ','",
}


@pytest.mark.parametrize("cell", CELLS)
def test_a_cell_that_is_no_score_is_named_with_its_row_and_column(cell):
    with pytest.raises(ValueError, match="scores must be numbers") as refused:
        read_frame(with_cell(cell, 2, "drop"))
    assert f"'drop' holds {cell!r} in the row 'system C'" in str(refused.value)
    assert "roles={'drop': 'description'}" in str(refused.value)


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_a_column_that_describes_is_never_ranked_in_silence(name):
    table = SOUND.assign(**{name: DESCRIPTIONS[name]})
    with pytest.warns(UserWarning, match="set aside, not ranked") as said:
        scores = read_frame(table)
    assert list(scores.columns) == TASKS
    assert repr(name) in str(said[0].message)
