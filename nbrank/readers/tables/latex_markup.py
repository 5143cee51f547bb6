"""Conversion of LaTeX in cells and names to plain text."""

from __future__ import annotations

import re
from unicodedata import lookup

#: Commands for signs.
_SIGNS = {
    "pm": "±", "uparrow": "↑", "downarrow": "↓", "times": "×", "infty": "inf", "dagger": "†",
    "ddagger": "‡", "textsuperscript": "", "dots": "…", "ldots": "…", "checkmark": "✓",
    "textpm": "±", "textendash": "–", "textemdash": "—",
}  # fmt: skip
_WORD = re.compile(r"\\([a-zA-Z]+)")
#: Pattern of commands that shape a page, and stand for no word.
_LAYOUT = re.compile(
    r"bf|it|rm|tt|sc|em|line|rule|skip|space|quad|fill|size|small|tiny|large|color|center|sep|row"
)
_ARGUMENT = r"\{[^{}]*\}"
#: Commands that show only their last argument.
_LAST_SHOWN = re.compile(
    rf"\\(?:multirow|multicolumn)(?:\[[^\]]*\])?{_ARGUMENT}(?:\[[^\]]*\])?"
    rf"(?:{_ARGUMENT}|\*)\s*{{([^{{}}]*)}}|"
    rf"\\(?:textcolor|href|colorbox)(?:\[[^\]]*\])?{_ARGUMENT}\s*{{([^{{}}]*)}}"
)
#: Commands that are not shown, with their arguments.
_UNSEEN = re.compile(
    rf"\\(?:cellcolor|rowcolor|color|cite[a-z]*|footnote|footnotemark|label|ref|vspace|hspace|"
    rf"phantom|cmidrule|cline|setlength)\*?(?:\([^)]*\))?(?:\[[^\]]*\])?(?:{_ARGUMENT})?"
)
_COMMAND = re.compile(
    r"\\(?!multirow|multicolumn|textcolor|href|colorbox)[a-zA-Z]+\*?(?:\[[^\]]*\])?\s*\{([^{}]*)\}"
)
_NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?"
#: Pattern of a subscript or superscript of a number: its standard error.
_ERROR_SCRIPT = re.compile(
    rf"(?<=[\d%}}])\s*(?:_\s*{{\s*(?:±|\+/?-)?\s*(?P<below>{_NUMBER})\s*%?\s*}}"
    rf"|[_^]\s*{{\s*(?:±|\+/?-)\s*(?P<braced>{_NUMBER})\s*%?\s*}}"
    rf"|[_^]\s*±\s*(?P<bare>{_NUMBER}))",
    re.IGNORECASE,
)


def has_latex(text: str) -> bool:
    r"""Return whether a text contains LaTeX.

    >>> [has_latex(text) for text in (r"\textbf{3}", "$3$", "3_{1}", "$85", "a_b")]
    [True, True, True, False, False]
    """
    return "\\" in text or text.count("$") > 1 or "_{" in text or "^{" in text


def strip_latex(text: str) -> str:
    r"""Convert LaTeX to plain text, with an error below or above a number after ±.

    >>> strip_latex(r"\textbf{85.2}"), strip_latex(r"$85.2 \pm 0.3$"), strip_latex("85.2_{0.3}")
    ('85.2', '85.2 ± 0.3', '85.2 ± 0.3')
    >>> strip_latex(r"\multirow{2}{*}{\textsc{Ours} \cite{a}}"), strip_latex(r"50\% \& more")
    ('Ours', '50% & more')
    >>> strip_latex(r"$\Delta$"), strip_latex(r"\ours"), strip_latex(r"\hline")
    ('Δ', 'ours', '')
    """
    text = re.sub(r"\s*\\(?:times|cdot)\s*10\^\{?\s*([-+]?\d+)\s*\}?", r"e\1", text)
    text = _WORD.sub(_show_sign, text)
    text = re.sub(r"\\([%&#_$])", r"\1", re.sub(r"\\[,;:! ()]|~", " ", text.replace("\\$", "")))
    text = text.replace("$", "")
    before = None
    while before != text:  # innermost braces first
        before = text
        text = _ERROR_SCRIPT.sub(
            lambda match: f" ± {match['below'] or match['braced'] or match['bare']}", text
        )
        text = _LAST_SHOWN.sub(lambda shown: shown[1] or shown[2] or "", text)
        text = _COMMAND.sub(r"\1", _UNSEEN.sub("", text))
    text = re.sub(r"\^\s*(?:\{[^{}]*\}|[*†‡§¶])", "", text)
    bare = " ".join(re.sub(r"\\[a-zA-Z]+\*?|[{}]", "", text).split())
    # A command alone is the owner's own name of something.
    words = [word for word in _WORD.findall(text) if not _LAYOUT.search(word)]
    return bare or next(iter(words), "")


def _show_sign(command: re.Match[str]) -> str:
    """Show a command that stands for a sign or a Greek letter; leave others."""
    size = "CAPITAL" if command[1][0].isupper() else "SMALL"
    letter = command[1].removeprefix("var").upper().replace("LAMBDA", "LAMDA")
    try:
        return _SIGNS.get(command[1]) or lookup(f"GREEK {size} LETTER {letter}")
    except KeyError:
        return _SIGNS.get(command[1], command[0])
