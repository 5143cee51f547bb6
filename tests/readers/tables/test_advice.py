"""Every call that a message, a warning or a doubt recommends can be made on that table."""

import re
import warnings
from ast import literal_eval

import pytest

import nbrank

TABLES = {
    "switches of an ablation": "SFE,TA,acc\n✗,✗,1.5\n✗,✓,2.5\n✓,✗,3.5\n",
    "first column of numbers": "acc,t\n3,1\n2,4\n",
    "no tasks": "model,size,year\nA,7,2020\nB,8,2021\n",
    "not a score": "m,t,u\nA,x,1\nB,3,2\nC,4,5\n",
    "marks": "m,t,u\nA,DNF,1\nB,3,2\nC,4,5\n",
    "two scores": "model,dataset,MASE,WQL\nA,x,1,2\nA,y,2,3\nB,x,2,1\nB,y,3,2\n",
    "repeated rows": "SYS,SID,SCR\nA,1,0.5\nA,2,0.7\nB,1,0.4\nB,2,0.9\n",
    "sizes": "model,img_size,top1\nA,224,80.1\nA,384,81.2\nB,224,79.3\n",
    "places by year": "c,year,place\nT,2003,1\nB,2003,2\nT,2004,4\nB,2004,22\n",
    "set aside": "model,size,t,u\nA,7,1,2\nB,8,2,1\n",
    "runs": "model,question,seed,score\n"
    + "".join(f"{s},{q},{r},{(q + r) % 2}\n" for s in "AB" for q in (1, 2) for r in (1, 2)),
    "clusters": "model,passage,question,score\n"
    + "".join(f"{s},{q // 3},{q},{q % 2}\n" for s in "AB" for q in range(6)),
    "sizes of samples": "model,task,accuracy,n\nA,t,.5,10\nA,u,.6,10\nB,t,.7,20\nB,u,.4,20\n",
    "turned": "Corpus,BM25,BGE\nfiqa,.2,.3\nscifact,.5,.4\n",
    "cost": "model,t,cost\nA,1,2\nB,2,1\n",
    "other data sets": "dataset_id,method,s\nd1,A,0.9\nd1,B,0.8\nd2,C,0.5\n",
    "parts of one system": "dataset,accuracy,f1\nx,1,2\ny,3,1\n",
    "a task of systems": "dataset,ours,theirs\nx,1,2\ny,3,1\n",
    "two titles of rows": "agent,model,t\nx,A,1\ny,A,2\n",
    "counts": "model,t,u,big\nA,1.5,2,5000\nB,2.5,1,7000\nC,2,3,9000\n",
    "splits": "model,split,acc,f1\nA,dev,8,7\nA,test,9,6\nB,dev,6,5\nB,test,7,8\n",
    "shots": "model,task,shots,score\n"
    + "".join(f"{m},{t},{s},{len(m + t) + s}\n" for m in "AB" for t in "xy" for s in (0, 1)),
    "only averages": "model,average,t,u\nA,5,4,6\nB,6,7,5\nC,4,,\n",
    "sorted by ranks": "rank,model,t,u\n"
    + "".join(f"{at},m{at},{at}.5,{9 - at}.5\n" for at in range(1, 7)),
    "people who rate things": "user,film,rating\nu1,X,5\nu1,Y,3\nu2,X,4\nu2,Z,2\n",
    "people in rows": "voter,Pizza,Sushi\n1,1,0\n2,0,1\n3,1,1\n",
    "times of people": "time,Respondent,X,Y,more\n2024/05/01 10:11,r1,4,5,ok\n"
    "2024/05/02 09:02,r2,5,4,fine\n",
    "metrics in rows": "m,here,there,set\nCER ↓,1,2,a\nWER ↓,3,4,a\nCER ↓,2,1,b\nWER ↓,4,5,b\n",
    "numbers of rows": "Concurrency,Time (s),jobs\n1,10.5,1.5\n2,5.5,1.9\n3,3.5,2.8\n",
    "given and got": "year,from_country,to_country,points\n2019,NL,IT,12\n2019,NL,RU,10\n"
    "2019,CH,IT,8\n2019,CH,RU,12\n",
    "errors without a task": "model,t,u,x_stderr\nA,1,2,.1\nB,2,1,.1\n",
}


def read(text, **how):
    """The board or None, and all that was said."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            board = nbrank.read(text.encode(), **how)
        except ValueError as error:
            return None, str(error)
    doubts = [] if board.reading is None else board.reading.doubts.values()
    return board, "\n".join([*(str(item.message) for item in caught), *doubts])


def calls(text):
    """The calls that a text recommends, but for those that only have dots."""
    value = r"\w+=(?:\{[^{}]*\}|\[[^\]]*\]|'\w+'|True)"
    parts = re.findall(r"\b(?:roles|na|where|duplicates|transpose)=[^;]*", text)
    found = []
    for part in parts:
        one = re.match(rf"{value}(?:, {value})*", part)
        if one is not None:
            names = re.split(r"(?:^|, )(\w+)=", one[0])[1:]
            found.append({k: literal_eval(v) for k, v in zip(names[::2], names[1::2], strict=True)})
    # What reads several files is called in test_table_side.py.
    unknown = re.compile(r"\.\.\.|file$")
    return [call for call in found if not any(map(unknown.match, call.get("roles", ())))]


#: What is ranked, and not scores, pairs, people, times, marks.
RANKED = {
    "switches of an ablation": ["✗ / ✗", "✗ / ✓", "✓ / ✗"],
    "people who rate things": ["X", "Y", "Z"],
    "people in rows": ["Pizza", "Sushi"],
    "times of people": ["X", "Y"],
    "metrics in rows": ["here", "there"],
    "numbers of rows": ["1", "2", "3"],
}


@pytest.mark.parametrize(("name", "systems"), RANKED.items())
def test_what_is_recommended_ranks_the_right_things(name, systems):
    _, said = read(TABLES[name])
    call = calls(said)[0]
    board, _ = read(TABLES[name], **call)
    assert [str(system) for system in board.systems] == systems


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("item,system1,system2,rating\n1,A,B,-2\n2,A,C,1\n3,B,C,3\n4,C,A,0\n", ["left", "right"]),
        ("n,Time (s),Memory (MB)\n200,2,~50\n900,5,~200\n", ["system"]),
        ("Seed,MASE,OWA\n42,1.5,2.5\n43,1.6,2.4\n", ["system", "run"]),
    ],
)
def test_where_no_column_names_systems_none_is_recommended(text, wrong):
    _, said = read(text)
    named = re.findall(r"'(?:system1|system2|n|file|Seed)': '(\w+)'", said)
    assert named == wrong
    assert not re.search(r"'(Memory|rating|MASE)[^']*': 'system'", said)


@pytest.mark.parametrize("name", TABLES)
def test_what_is_recommended_can_be_done_and_changes_what_is_read(name):
    text = TABLES[name]
    board, said = read(text)
    recommended = calls(said)
    assert recommended, said
    for call in recommended:
        other, reply = read(text, **call)
        # Either it is read now, or what else is lacking is said, and not the same again.
        assert reply != said, (call, reply)
        if board is not None:
            assert other is not None, (call, reply)


def test_a_row_of_medians_with_a_remark_is_set_aside_in_a_turned_table():
    text = "query,DuckDB,Spark,Trino\nq1,30,31,7\nq2,29,50,9\nmedian (across queries),29,40,late\n"
    with pytest.warns(UserWarning, match="rows are read as tasks|set aside"):
        board = nbrank.read(text.encode(), lower_is_better=True)
    assert list(board.scores.columns) == ["q1", "q2"]


def test_cells_of_words_are_shown_where_no_column_holds_numbers():
    with pytest.raises(ValueError, match=r"scores for each task: 'load' .*such as '3 or 8 ms'\)$"):
        nbrank.read(b"model,load\nA,3 or 8 ms\nB,1 or 2 ms\n")
    with pytest.raises(ValueError, match="write 0.008 where it says 0,008"):
        nbrank.read(b'model,load\nA,"0,008s"\nB,"0,5s"\n')


def test_a_column_called_a_task_that_is_of_each_system_is_a_description():
    with pytest.warns(UserWarning, match="set aside"):
        board = nbrank.read(b"framework,Language,t\nA,PHP,1.5\nB,Rust,2.5\n")
    assert board.reading.doubts == {}


def test_short_names_of_digits_and_letters_name_the_systems_and_sentences_do_not():
    rows = "3a,98,reused the branch of part 3b\n3b,94,both branches\n3c,92,none\n"
    assert read(f"Catalyst,Yield (%),Evidence\n{rows}")[0].systems.tolist() == ["3a", "3b", "3c"]
    rows = "EASY,a,4.18 m/s\nSTRICT,a,7.31 m/s (unchanged)\nSTRICT,b,2.29 m/s\n"
    assert "'EV speed': 'system'" not in read(f"preset,policy,EV speed\n{rows}")[1]


@pytest.mark.filterwarnings("ignore:.*'Entries' .its name")
def test_amounts_with_thousands_name_no_systems():
    table = 'Dataset,Entries,A,B\nx,"41,127",.5,.6\ny,"1,200",.7,.5\nz,800,.1,.2\n'
    with pytest.warns(UserWarning, match="since 'Dataset' names them"):
        board = nbrank.read(table.encode())
    assert [*board.systems] == ["A", "B"]


def test_a_number_in_place_of_a_name_is_not_proposed_as_a_score():
    rows = [f"load,{name},route,{n},{what},{10 * n + at}" for at, what in enumerate(("a", "b"))
            for n in (1, 2) for name in ("main", "fork")]  # fmt: skip
    _, said = read("\n".join(rows))
    assert "'10': 'score'" not in said


@pytest.mark.parametrize(
    ("rows", "first"),
    [
        ("Place,Nom,Prénom,s\n1,SAVIO,Colin,31.5\n2,MORET,Bruno,32.8\n3,BEL,Lo,33.4\n", "SAVIO"),
        ("Date,Nom,s,File\n2025-02-19,LR,.7,a.ipynb\n2025-02-19,GBM,.8,b.py\n-,XGB,.6,c\n", "LR"),
    ],
)
def test_columns_of_words_are_proposed_by_name_where_the_first_has_numbers_or_dates(rows, first):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(ValueError, match="say .*roles={'Nom': 'system'}"):
            nbrank.read(rows.encode())
        board = nbrank.read(rows.encode(), roles={"Nom": "system"})
    assert board.systems[0] == first
