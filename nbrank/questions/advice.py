"""What `recommend` returns: a family of rules, and the answers that lead to it."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from nbrank.rules.rule import Family


@dataclass(frozen=True)
class Step:
    """A question of the flowchart, and what the data say to it.

    Parameters
    ----------
    question
        The question.
    answer
        In a word or two.
    because
        What in the data the answer rests on, and what follows.
    """

    question: str
    answer: str
    because: str


@dataclass(frozen=True, repr=False)
class Recommendation:
    """The family of rules that fits a table, why, and what can't be read off the table.

    Parameters
    ----------
    family
        The family, as in `RULES`.
    rules
        Names of rules of that family that take the table as it is, the first
        choice first.
    beside
        Names of rules of other families that are worth a look beside it; they
        take the table as it is, too.
    steps
        The questions that led there.
    unknown
        What the data can't say, and a human has to.

    Examples
    --------
    >>> import nbrank
    >>> advice = nbrank.recommend(nbrank.datasets.load_llm_chat())
    >>> advice.family, advice.rules, advice.beside
    ('positional', ('borda',), ('copeland', 'mean_win_rate'))
    >>> print(advice.steps[1].question, advice.steps[1].answer)
    Is anything missing? yes
    """

    family: Family
    rules: tuple[str, ...]
    beside: tuple[str, ...]
    steps: tuple[Step, ...]
    unknown: tuple[str, ...]

    def __repr__(self) -> str:
        lines = [f"Recommendation: {self._headline()}", "", "Why:"]
        lines += [f"- {step.question} {step.answer}: {step.because}" for step in self.steps]
        lines += ["", "What the data can't say:", *(f"- {item}" for item in self.unknown)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        left = ' style="text-align: left"'
        rows = "".join(
            f"<tr><th{left}>{escape(step.question)}</th><td{left}>{escape(step.answer)}</td>"
            f"<td{left}>{escape(step.because)}</td></tr>"
            for step in self.steps
        )
        unknown = "".join(f"<li>{escape(item)}</li>" for item in self.unknown)
        return (
            f"<p>Recommendation: {escape(self._headline())}</p>"
            f"<table><tbody>{rows}</tbody></table>"
            f"<p>What the data can't say:</p><ul>{unknown}</ul>"
        )

    def _headline(self) -> str:
        said = f"a rule of the family {self.family!r}: {', '.join(self.rules)}"
        return said + (f"; beside it: {', '.join(self.beside)}" if self.beside else "")
