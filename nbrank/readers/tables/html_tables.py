"""Reader of the tables of a web page, as rows of texts."""

from __future__ import annotations

from html.parser import HTMLParser

from nbrank.readers.tables.table_choice import FileTable

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6", "caption")


def list_html_tables(file_name: str, text: str) -> list[FileTable]:
    """List the tables of a page that have cells, each with its caption or the heading above it."""
    page = _TableParser()
    page.feed(text)
    page.close()
    return [
        FileTable.from_rows(file_name, name, [*enumerate(filled, 1)])
        for name, cells in zip(page.names, page.tables, strict=True)
        if (filled := [row for row in cells if any(row)])
    ]


class _TableParser(HTMLParser):
    """Parser of the cells in a page's tables; a cell over several columns or rows fills each."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        #: Name of each table: its caption, else the last heading before it.
        self.names: list[str] = []
        self.heading = ""
        self.is_heading = False
        self.spans: list[int] | None = None
        #: Cells of the current table that extend from above: (row, column) -> their text.
        self.above: dict[tuple[int, int], str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HEADINGS:
            self.heading, self.is_heading = "", True
        elif tag == "table":
            self.tables.append([])
            self.names.append(self.heading)
            self.above = {}
        elif tag == "tr" and self.tables:
            self.tables[-1].append([])
        elif tag in ("br", "sub", "sup") and self.spans:
            self.handle_data(" ")  # a superscript is not a digit of the number
        elif tag in ("td", "th") and self.tables and self.tables[-1]:
            self._fill_rowspans()
            texts = dict(attrs)
            digits = [str(texts.get(f"{way}span") or "1") for way in ("col", "row")]
            self.spans = [min(int(n), 1000) if n.isdigit() else 1 for n in digits]
            self.tables[-1][-1].append("")

    def handle_data(self, data: str) -> None:
        if self.is_heading:
            self.heading = " ".join(f"{self.heading}{data}".split())
        elif self.spans:
            self.tables[-1][-1][-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag in _HEADINGS:
            self.is_heading = False
            if tag == "caption" and self.names:
                self.names[-1] = self.heading
        elif tag in ("td", "th") and self.spans:
            row, (across, down) = self.tables[-1][-1], self.spans
            at, text = len(row) - 1, " ".join(row[-1].split())
            row[-1:] = [text] * across
            for below in range(1, down):
                for column in range(at, at + across):
                    self.above[len(self.tables[-1]) - 1 + below, column] = text
            self.spans = None
            self._fill_rowspans()

    def _fill_rowspans(self) -> None:
        row = self.tables[-1][-1]
        while (place := (len(self.tables[-1]) - 1, len(row))) in self.above:
            row.append(self.above.pop(place))
