"""The tables of a web page, as rows of texts."""

from __future__ import annotations

from html.parser import HTMLParser


def parse_html_tables(text: str) -> list[list[list[str]]]:
    """The rows of each table that has any."""
    page = _TableParser()
    page.feed(text)
    page.close()
    tables = [[row for row in table if any(row)] for table in page.tables]
    return [table for table in tables if table]


class _TableParser(HTMLParser):
    """The cells of a page's tables; one over several columns or rows stands in each."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self.spans: list[int] | None = None
        #: Of the current table, where cells from above reach down: (row, column) -> their text.
        self.above: dict[tuple[int, int], str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.tables.append([])
            self.above = {}
        elif tag == "tr" and self.tables:
            self.tables[-1].append([])
        elif tag in ("br", "sub", "sup") and self.spans:
            self.handle_data(" ")  # what is raised is no digit of the number before it
        elif tag in ("td", "th") and self.tables and self.tables[-1]:
            self._fill_rowspans()
            texts = dict(attrs)
            digits = [str(texts.get(f"{way}span") or "1") for way in ("col", "row")]
            self.spans = [min(int(n), 1000) if n.isdigit() else 1 for n in digits]
            self.tables[-1][-1].append("")

    def handle_data(self, data: str) -> None:
        if self.spans:
            self.tables[-1][-1][-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self.spans:
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
