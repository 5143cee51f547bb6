"""Files of several tables: all are listed, one is chosen by its number or its name."""

import io
import json

import pandas as pd
import pytest

from nbrank.readers.tables.table_files import list_tables, read_table

MARKDOWN = """
# Results

## Airline
| model | p1 | p2 |
|---|---|---|
| A | 1 | 2 |
| B | 3 | 4 |

**Retail**

| model | p1 |
|---|---|
| A | 5 |
"""
PAGE = """<h2>Airline</h2><table><tr><th>model<th>p1<th>p2<tr><td>A<td>1<td>2
<tr><td>B<td>3<td>4</table>
<h2>other</h2><table><caption>Retail</caption><tr><th>model<th>p1<tr><td>A<td>5</table>"""
LATEX = r"""
\begin{table} \caption{Airline}
\begin{tabular}{lcc} \toprule model & p1 & p2 \\ \midrule A & 1 & 2 \\ B & 3 & 4 \\ \end{tabular}
\end{table}
\begin{table}
\begin{tabularx}{\textwidth}{lX} model & p1 \\ \hline A & 5 \\ \end{tabularx}
\caption{Retail}
\end{table}
"""
RECORDS = {
    "Airline": [{"model": "A", "p1": 1, "p2": 2}, {"model": "B", "p1": 3, "p2": 4}],
    "Retail": [{"model": "A", "p1": 5}],
}


def workbook():
    content = io.BytesIO()
    with pd.ExcelWriter(content) as writer:
        for name, records in RECORDS.items():
            pd.DataFrame(records).to_excel(writer, sheet_name=name, index=False)
    return content.getvalue()


FILES = {
    "md": MARKDOWN.encode(),
    "html": PAGE.encode(),
    "tex": LATEX.encode(),
    "json": json.dumps(RECORDS).encode(),
    "xlsx": workbook(),
}


@pytest.mark.parametrize("kind", FILES)
def test_tables_are_chosen_by_number_or_name(kind):
    assert [table.name for table in list_tables(FILES[kind])] == ["Airline", "Retail"]
    for table in (2, "2", "Retail", "retail", "Ret"):
        frame = read_table(FILES[kind], table=table)
        assert frame.astype(str).to_numpy().tolist() == [["A", "5"]]


@pytest.mark.parametrize("kind", FILES)
def test_the_one_with_most_numbers_is_read_and_all_are_listed(kind):
    said = r"2 tables; 1, .*table=2; .* 1 'Airline' \('model', 'p1', 'p2'; 2 rows\), 2 'Retail'"
    with pytest.warns(UserWarning, match=said):
        assert read_table(FILES[kind]).columns.tolist() == ["model", "p1", "p2"]


@pytest.mark.parametrize("table", [0, 3, "3", "Rail", True])
def test_a_table_that_is_not_there_is_refused_with_all_there_are(table):
    with pytest.raises(ValueError, match="unknown table: 1 'Airline' .*, 2 'Retail'"):
        read_table(FILES["md"], table=table)


def test_a_name_of_several_tables_asks_for_a_number():
    twice = (MARKDOWN + MARKDOWN).encode()
    with pytest.raises(ValueError, match="several tables are called so; give a number: 1 'Airl"):
        read_table(twice, table="Airline")
    assert read_table(twice, table=3).shape == (2, 3)


def test_tables_of_one_size_are_not_chosen_from_unasked():
    with pytest.raises(
        ValueError, match="2 have as many numbers; say which, as in table=1; they are 1 'Air"
    ):
        read_table((MARKDOWN + MARKDOWN).encode())


def test_an_only_table_is_its_own_number():
    assert read_table(b"m,t\nA,1\n", table=1).shape == (1, 2)
    with pytest.raises(ValueError, match="unknown table: 1 "):
        read_table(b"m,t\nA,1\n", table=2)


def test_a_text_over_a_whole_row_is_a_heading():
    text = r"""\begin{tabular}{lcc} model & p1 & p2 \\ \midrule
    \multicolumn{3}{l}{\textit{Old ones}} \\ A & 1 & 2 \\ B & 1 & 1 \\ \end{tabular}"""
    with pytest.warns(UserWarning, match="set aside as headings or notes: line 2 of the table"):
        assert read_table(text.encode())["model"].tolist() == ["A", "B"]
