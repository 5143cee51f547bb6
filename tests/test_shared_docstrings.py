"""What several docstrings say word for word is written once, in shared_docstrings.toml."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

pytestmark = pytest.mark.source

PACKAGE = Path(__file__).parents[1] / "nbrank"
ADVICE = "run docs/scripts/write_shared_docstrings.py"
SOURCE = '''\
"""A module."""


def median(scores, missing):
    """Which system has the highest median?

    Parameters
    ----------
    scores
        A frame.
    missing
        Old.

        In two paragraphs.

    Returns
    -------
    missing
        Not a parameter.
    """


class Rule:
    """A rule."""

    def run(self, missing):
        """Run it.

        Parameters
        ----------
        missing
            Old.
        """
'''


@pytest.fixture
def shared(script):
    return script("write_shared_docstrings")


@pytest.fixture
def package(tmp_path):
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "means.py").write_text(SOURCE, encoding="utf-8")
    return tmp_path


@pytest.fixture
def text(shared):
    return shared.SharedText("Parameters", "missing", ("New,", "", "of the", " table."), {})


def test_the_docstrings_say_what_they_share(shared):
    changed = shared.write_all(shared.read_texts(), PACKAGE)
    assert [str(path.relative_to(PACKAGE)) for path in changed] == [], ADVICE


def test_a_function_that_says_the_same_is_listed(shared):
    texts = {
        (item.section, item.header, item.lines): item.functions for item in shared.read_texts()
    }
    unlisted = []
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        module = module.removesuffix(".__init__")
        source = path.read_text(encoding="utf-8")
        lines = source.splitlines()
        for name, docstring in shared.find_docstrings(source).items():
            for (section, header, block), functions in texts.items():
                entry = docstring.find_entry(lines, section, header)
                if entry is None:
                    continue
                says = tuple(line.removeprefix(docstring.indent + "    ") for line in lines[entry])
                if says == block and name not in functions.get(module, []):
                    unlisted.append((module, name, header))
    assert unlisted == [], "list them in docs/scripts/shared_docstrings.toml"


def test_each_text_is_there_once(shared):
    texts = [(text.section, text.header, text.lines) for text in shared.read_texts()]
    assert len(set(texts)) == len(texts)


def test_a_text_replaces_the_whole_entry_and_nothing_else(shared, package, text):
    text = replace(text, functions={"rules.means": ["median", "Rule.run"]})
    path = package / "rules" / "means.py"
    (changed,) = shared.write_all([text], package).items()
    old = "Old.\n\n        In two paragraphs.\n"
    new = "New,\n\n        of the\n         table.\n"
    expected = SOURCE.replace(old, new).replace(
        "            Old.\n", "            New,\n\n            of the\n             table.\n"
    )
    assert changed == (path, expected)
    path.write_text(expected, encoding="utf-8")
    assert shared.write_all([text], package) == {}


@pytest.mark.parametrize(
    ("functions", "message"),
    [
        ({"rules.medians": ["median"]}, "no module nbrank.rules.medians"),
        ({"rules.means": ["mean"]}, "nbrank.rules.means has no documented 'mean'"),
        ({"rules.means": ["Rule"]}, "Parameters of nbrank.rules.means.Rule has no 'missing'"),
    ],
)
def test_an_entry_that_is_wrong_is_named(shared, package, text, functions, message):
    with pytest.raises(ValueError, match=message):
        shared.write_all([replace(text, functions=functions)], package)


def test_the_check_fails_where_the_source_differs(shared, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["write_shared_docstrings.py", "--check"])
    with pytest.raises(SystemExit, match="0"):
        shared.main()
    shutil.copytree(PACKAGE, tmp_path / "nbrank", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(shared, "ROOT", tmp_path)
    path = tmp_path / "nbrank" / "rules" / "means.py"
    source = path.read_text(encoding="utf-8")
    path.write_text(source.replace("A frame of scores", "A table of scores"), encoding="utf-8")
    with pytest.raises(SystemExit, match="1"):
        shared.main()
    assert Path(capsys.readouterr().out.strip()) == Path("nbrank/rules/means.py")
    monkeypatch.setattr("sys.argv", ["write_shared_docstrings.py"])
    with pytest.raises(SystemExit, match="0"):
        shared.main()
    assert path.read_text(encoding="utf-8") == source
