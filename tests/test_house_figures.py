"""How the code reads, in figures: names, first words of docstrings, and turns of phrase.

Each limit is a little above what the folder has. Lower it when the figure falls, and never raise
it; a word that is right where it stands can be counted, as long as there are few of them.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.source

PACKAGE = Path(__file__).parents[1] / "nbrank"
FOLDERS = ("arrays", "votes", "rules", "comparison", "axioms", "experiments", "metrics")
#: Folders, and a file, whose docstrings all begin with a verb and have hardly a private turn.
STRICT_PROSE = (
    *("votes", "readers", "readers/large", "readers/hosts", "readers/tables"),
    *("uncertainty", "robustness", "findings", "datasets", "accessor.py"),
    *("frontends/command_line", "frontends/report_page", "frontends/paper_summary.py"),
)
#: Shares of docstrings that begin otherwise, if not 6 %; an axiom's is the axiom.
OTHER_STARTS = {"axioms": 0.27} | dict.fromkeys(STRICT_PROSE, 0.02)
#: Private turns of phrase per 1,000 words, if not 3.
OTHER_IDIOMS = dict.fromkeys(STRICT_PROSE, 1.0)

#: How many names files take from other files, and folders give to other folders.
MOST_NAMES = {"files": 840, "arrays": 66, "votes": 123, "rules": 34, "comparison": 14}
MOST_NAMES |= {"uncertainty": 25, "robustness": 10, "findings": 52, "charts": 15, "readers": 17}

#: Words that are not verbs, with which docstrings of functions should not begin.
NOT_VERBS = {
    *("The", "A", "An", "Who", "What", "Which", "How", "Where", "Whose", "Why", "When", "Whether"),
    *("By", "On", "In", "For", "From", "With", "Of", "So", "As", "At", "All", "Each", "Every"),
    *("One", "Some", "No", "Two", "Minus", "Systems", "Tasks", "Rows", "Pairs", "Entry", "Those"),
}
#: Names that say nothing by themselves: pronouns, prepositions, participles.
EMPTY_NAMES = {
    *("what", "which", "who", "why", "where", "there", "this", "these", "those", "one", "each"),
    *("every", "own", "ours", "other", "by", "on", "of", "at", "among", "beside", "until", "most"),
    *("least", "enough", "found", "said", "told", "given", "kept", "known", "asked", "wanted"),
    *("seen", "shown", "drawn", "chosen", "called", "moved", "entered", "weighed", "instead"),
}
IDIOMS = re.compile(
    r"\b([Ss]o many|told(?! apart)|[Bb]eside|[Ss]omebody|[Nn]obody|[Ee]verybody|is no|are no"
    r"|is none|said of|of which|of whom|of what)\b"
)


def sources(folder: str) -> Iterator[str]:
    root = PACKAGE / folder
    for path in [root] if root.suffix else sorted(root.rglob("*.py")):
        yield path.read_text(encoding="utf-8")


def functions(source: str) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]


def is_property(function: ast.FunctionDef) -> bool:
    return any("property" in ast.unparse(decorator) for decorator in function.decorator_list)


def begins_with_a_verb(text: str) -> bool:
    """Whether a docstring begins with a verb, or its first sentence is a question."""
    first = text.strip().partition("\n\n")[0]
    return "?" in first.partition(".")[0] or re.split(r"\W+", first)[0] not in NOT_VERBS


def words_of(source: str) -> str:
    """The docstrings, messages and comments of a module, without the code of examples."""
    texts = [
        re.sub(r">>>.*?(?:\n\s*\n|$)", "", node.value, flags=re.DOTALL)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
    ]
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return "\n".join([*texts, *(item.string for item in tokens if item.type == tokenize.COMMENT)])


@pytest.mark.parametrize("folder", sorted({*FOLDERS, *STRICT_PROSE}))
def test_docstrings_of_functions_begin_with_a_verb(folder):
    texts = [
        text
        for source in sources(folder)
        for function in functions(source)
        if not is_property(function) and (text := ast.get_docstring(function))
    ]
    others = [text.partition("\n")[0] for text in texts if not begins_with_a_verb(text)]
    assert len(others) / len(texts) <= OTHER_STARTS.get(folder, 0.06), others


@pytest.mark.parametrize("folder", FOLDERS)
def test_few_parameters_are_pronouns_or_participles(folder):
    names = [
        argument.arg
        for source in sources(folder)
        for function in functions(source)
        for argument in (*function.args.args, *function.args.kwonlyargs)
        if argument.arg != "self"
    ]
    empty = [name for name in names if name in EMPTY_NAMES]
    assert len(empty) / len(names) <= 0.03, sorted(empty)


@pytest.mark.parametrize("folder", sorted({*FOLDERS, *STRICT_PROSE}))
def test_few_turns_of_phrase_are_private(folder):
    text = "\n".join(words_of(source) for source in sources(folder))
    found = [match.group() for match in IDIOMS.finditer(text)]
    assert len(found) <= len(text.split()) * OTHER_IDIOMS.get(folder, 3.0) / 1000, sorted(found)


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("Count the pairs.", True),
        ("Which system wins?", True),
        ("The pairs.", False),
        ("Whether it wins.", False),
    ],
)
def test_what_counts_as_a_verb(text, begins):
    assert begins_with_a_verb(text) is begins


def test_few_names_cross_files(script):
    writer = script("write_doors")
    files = set(PACKAGE.rglob("*.py")) - {PACKAGE / "__init__.py", *PACKAGE.glob("*/__init__.py")}
    taken = {name for path in files for name in writer.iter_taken(path)}
    assert len(taken) <= MOST_NAMES["files"]


def test_folders_give_few_names_to_others(script):
    given = {folder: len(names) for folder, names in script("write_doors").find_doors().items()}
    limits = {folder: most for folder, most in MOST_NAMES.items() if folder != "files"}
    assert {folder: given[folder] for folder, most in limits.items() if given[folder] > most} == {}
