"""`df.rank`: pandas' own method in every respect, with the rules as methods."""

import copy
import functools
import inspect
import itertools
import os
import pickle
import pydoc
import re
import subprocess
import sys
import types
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import nbrank
from nbrank import accessor
from nbrank.votes.method_registry import METHODS

ROOT = Path(__file__).parents[1]

# What each rule must be told, on the scores below.
NEEDED: dict[str, dict[str, Any]] = {
    "normalized_mean": {"low": 0, "high": 10},
    "optimality_gap": {"gamma": 10},
    "positional": {"vector": [3, 2, 0]},
}

RULES = [name for name, rule in nbrank.RULES.items() if rule.supports(nbrank.Leaderboard.provides)]
PRESENT = [
    name
    for name, method in METHODS.items()
    if method.requires <= nbrank.Leaderboard.provides | {"frame"} and name not in RULES
]


def leave_as(wanted: Callable[[], None]) -> Iterator[None]:
    was_installed = isinstance(pd.DataFrame().rank, accessor.RankNamespace)
    wanted()
    yield
    (accessor.install if was_installed else accessor.uninstall)()


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    yield from leave_as(accessor.install)


@pytest.fixture(params=["with nbrank", "pandas alone"])
def either_way(request: pytest.FixtureRequest, installed: None) -> Iterator[None]:
    """Run a test twice: what it says of pandas is true with the accessor and without."""
    yield from leave_as(accessor.install if request.param == "with nbrank" else accessor.uninstall)


@pytest.fixture
def df() -> pd.DataFrame:
    return pd.DataFrame(
        {"t1": [3.0, 2.0, 2.0], "t2": [1.0, None, 4.0], "t3": [0.5, 0.5, 0.1]},
        index=["A", "B", "C"],
    )


@pytest.fixture
def complete(df: pd.DataFrame) -> pd.DataFrame:
    return df.fillna(2.0)


@pytest.fixture
def method(df: pd.DataFrame) -> types.MethodType:
    """What `df.rank` is without nbrank."""
    return types.MethodType(pd.DataFrame.rank, df)


def run(*command: str, cwd: Path | None = None, **environment: str) -> str:
    """The output of a Python process that finds this nbrank and inherits no switch of ours."""
    kept = {name: value for name, value in os.environ.items() if name != "NBRANK_ACCESSOR"}
    done = subprocess.run(
        [sys.executable, *command],
        cwd=cwd,
        env=kept | {"PYTHONPATH": str(ROOT)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


class TestItIsPandasOwnMethod:
    def test_the_class_gives_pandas_own_function(self) -> None:
        with_nbrank = pd.DataFrame.rank
        accessor.uninstall()
        assert with_nbrank is pd.DataFrame.rank
        assert isinstance(with_nbrank, types.FunctionType)

    def test_every_combination_of_keywords(self) -> None:
        mixed = pd.DataFrame(
            {"a": [2, 1, 2, None], "b": [None, 0.5, 0.5, 0.1], "word": list("xyxx")}
        )
        keywords = {
            "axis": [0, 1, "columns"],
            "method": ["average", "min", "max", "first", "dense"],
            "numeric_only": [False, True],
            "na_option": ["keep", "top", "bottom"],
            "ascending": [True, False],
            "pct": [False, True],
        }
        assert list(keywords) == list(inspect.signature(mixed.rank).parameters)
        for values in itertools.product(*keywords.values()):
            options = dict(zip(keywords, values, strict=True))
            assert_same_outcome(
                lambda o=options: mixed.rank(**o), lambda o=options: pd.DataFrame.rank(mixed, **o)
            )
            assert_same_outcome(
                lambda v=values: mixed.rank(*v), lambda o=options: pd.DataFrame.rank(mixed, **o)
            )

    def test_wrong_keywords_are_refused_alike(self, df: pd.DataFrame) -> None:
        for options in ({"method": "best"}, {"na_option": "drop"}, {"axis": 2}, {"no": 1}):
            assert_same_outcome(
                lambda o=options: df.rank(**o), lambda o=options: pd.DataFrame.rank(df, **o)
            )

    def test_unbound(self, df: pd.DataFrame) -> None:
        assert_frame_equal(pd.DataFrame.rank(df, method="min"), df.rank(method="min"))

    @pytest.mark.usefixtures("either_way")
    def test_by_name_through_agg_apply_and_transform(self, df: pd.DataFrame) -> None:
        down = pd.DataFrame.rank(df)
        across = pd.DataFrame.rank(df, axis=1)
        for through in (df.agg, df.apply, df.transform):
            assert_frame_equal(through("rank"), down)
            assert_frame_equal(through("rank", axis=1), across)
        assert_frame_equal(df.apply("rank", pct=True), pd.DataFrame.rank(df, pct=True))
        assert_frame_equal(df.agg({"t1": "rank", "t2": "rank"}), down[["t1", "t2"]])
        assert_frame_equal(df.agg(["rank"]).droplevel(1, axis=1), down)

    @pytest.mark.usefixtures("either_way")
    def test_pipe(self, df: pd.DataFrame) -> None:
        assert_frame_equal(df.pipe(pd.DataFrame.rank, axis=1), pd.DataFrame.rank(df, axis=1))
        assert_frame_equal(df.pipe(lambda frame: frame.rank()), pd.DataFrame.rank(df))

    @pytest.mark.usefixtures("either_way")
    def test_groupby_rolling_and_series_have_their_own(self, df: pd.DataFrame) -> None:
        groups = df.groupby(["x", "x", "y"])
        by_hand = pd.concat([pd.DataFrame.rank(df.iloc[:2]), pd.DataFrame.rank(df.iloc[2:])])
        assert_frame_equal(groups.rank(), by_hand)
        assert_frame_equal(groups.transform("rank"), by_hand)
        assert df.rolling(2).rank()["t1"].tolist()[1:] == [1.0, 1.5]
        assert df["t1"].rank().tolist() == [3.0, 1.5, 1.5]
        assert isinstance(df["t1"].rank, types.MethodType)

    @pytest.mark.usefixtures("either_way")
    def test_subclasses(self, df: pd.DataFrame) -> None:
        class Board(pd.DataFrame):
            @property
            def _constructor(self) -> type["Board"]:
                return Board

        class Reversed(Board):
            def rank(self, *args: Any, **options: Any) -> pd.DataFrame:
                return super().rank(*args, ascending=False, **options)

        assert type(Board(df).rank()) is Board
        assert Board.rank is pd.DataFrame.rank
        assert_frame_equal(pd.DataFrame(Board(df).rank(axis=1)), pd.DataFrame.rank(df, axis=1))
        assert_frame_equal(
            pd.DataFrame(Reversed(df).rank()), pd.DataFrame.rank(df, ascending=False)
        )

    @pytest.mark.usefixtures("either_way")
    def test_a_column_called_rank_is_reached_by_brackets_only(self) -> None:
        frame = pd.DataFrame({"rank": [2, 1], "x": [1, 2]})
        assert frame["rank"].tolist() == [2, 1]
        assert frame.rank()["rank"].tolist() == [2.0, 1.0]
        frame["rank"] = [5, 6]
        assert callable(frame.rank)
        assert frame.loc[0, "rank"] == 5
        assert frame.eval("rank + x").tolist() == [6, 8]
        assert frame.query("rank > 5").index.tolist() == [1]

    @pytest.mark.usefixtures("either_way")
    def test_an_attribute_can_be_set_and_deleted_as_in_pandas(self, df: pd.DataFrame) -> None:
        df.rank = "mine"
        assert df.rank == "mine"
        assert "rank" not in df.columns
        del df.rank
        assert_frame_equal(df.rank(), pd.DataFrame.rank(df))


class TestItKeepsTheHabitsOfABoundMethod:
    def test_attributes(self, df: pd.DataFrame, method: types.MethodType) -> None:
        forwarded = ("__name__", "__qualname__", "__module__", "__doc__", "__defaults__")
        for name in forwarded:
            assert getattr(df.rank, name) == getattr(method, name), name
        assert df.rank.__self__ is df
        assert df.rank.__func__ is pd.DataFrame.rank

    def test_signature(self, df: pd.DataFrame, method: types.MethodType) -> None:
        assert inspect.signature(df.rank) == inspect.signature(method)
        assert inspect.getfullargspec(df.rank) == inspect.getfullargspec(method)
        partial = functools.partial(df.rank, axis=1)
        assert inspect.signature(partial) == inspect.signature(functools.partial(method, axis=1))

    def test_partial(self, df: pd.DataFrame) -> None:
        assert_frame_equal(functools.partial(df.rank, pct=True)(), df.rank(pct=True))

    def test_equality_and_hash(self, df: pd.DataFrame, method: types.MethodType) -> None:
        assert df.rank == df.rank
        assert df.rank == method
        assert method == df.rank
        assert {df.rank, df.rank, method} == {method}
        assert df.rank != df.copy().rank
        assert df.rank != "rank"

    def test_copies(self, df: pd.DataFrame) -> None:
        assert copy.copy(df.rank) == df.rank
        deep = copy.deepcopy(df.rank)
        assert deep.__self__ is not df
        assert_frame_equal(deep(), df.rank())

    @pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
    def test_pickle(self, df: pd.DataFrame, protocol: int) -> None:
        restored = pickle.loads(pickle.dumps(df.rank, protocol))
        assert_frame_equal(restored.__self__, df)
        assert_frame_equal(restored(pct=True), df.rank(pct=True))

    def test_a_pickle_needs_no_nbrank_to_be_read(self, df: pd.DataFrame, tmp_path: Path) -> None:
        (tmp_path / "rank").write_bytes(pickle.dumps(df.rank))
        said = run(
            "-c",
            "import pickle, sys; rank = pickle.load(open('rank', 'rb'));"
            "print(rank()['t1'].tolist(), type(rank).__name__, 'nbrank' in sys.modules)",
            cwd=tmp_path,
        )
        assert said == "[3.0, 1.5, 1.5] method False"

    def test_a_method_of_it_can_be_pickled(self, df: pd.DataFrame) -> None:
        restored = pickle.loads(pickle.dumps(df.rank.borda))
        assert_frame_equal(restored(), nbrank.borda(df))

    def test_weak_references(self, df: pd.DataFrame) -> None:
        assert weakref.WeakMethod(df.rank)() == df.rank

    def test_it_keeps_no_frame_alive(self, df: pd.DataFrame) -> None:
        assert df.rank is not df.rank
        assert "rank" not in vars(df)

    def test_help_is_pandas_own(self, df: pd.DataFrame) -> None:
        first_line = inspect.getdoc(pd.DataFrame.rank).splitlines()[0]
        assert first_line in pydoc.render_doc(df.rank, renderer=pydoc.plaintext)


class TestTheRulesAreItsMethods:
    @pytest.mark.parametrize("name", RULES)
    def test_a_rule_is_the_function_of_that_name(self, complete: pd.DataFrame, name: str) -> None:
        options = NEEDED.get(name, {})
        ranked = getattr(complete.rank, name)(**options)
        expected = getattr(nbrank, name)(complete, **options)
        assert_frame_equal(ranked, expected)
        assert ranked.attrs == expected.attrs

    def test_options_are_passed_on(self, df: pd.DataFrame) -> None:
        assert_frame_equal(
            df.rank.borda(weights={"t1": 2}, ties="max", missing="ignore"),
            nbrank.borda(df, weights={"t1": 2}, ties="max", missing="ignore"),
        )
        assert_frame_equal(
            df.rank.compare(["borda", "copeland"]), nbrank.compare(df, ["borda", "copeland"])
        )
        assert_frame_equal(df.rank.pairwise(), nbrank.pairwise(df))

    def test_errors_are_the_functions_own(self, df: pd.DataFrame) -> None:
        with pytest.raises(ValueError, match="unknown 't9'"):
            df.rank.borda(weights={"t9": 2})

    @pytest.mark.parametrize("name", [*RULES, *PRESENT])
    def test_it_is_described_as_the_function_is(self, df: pd.DataFrame, name: str) -> None:
        function = getattr(nbrank, name)
        bound = getattr(df.rank, name)
        _, *others = inspect.signature(function).parameters.values()
        assert list(inspect.signature(bound).parameters.values()) == others
        assert bound.__name__ == name
        assert bound.__qualname__ == f"RankNamespace.{name}"
        assert bound.__wrapped__ is function
        assert inspect.ismethod(bound)

    @pytest.mark.parametrize("name", [*RULES, *PRESENT])
    def test_its_frame_is_the_functions_first_argument(
        self, df: pd.DataFrame, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stub = replace(METHODS[name], load=lambda: lambda *args, **options: (args, options))
        monkeypatch.setitem(METHODS, name, stub)
        args, options = getattr(df.rank, name)("x", y=1)
        assert args[0] is df
        assert (args[1:], options) == (("x",), {"y": 1})

    @pytest.mark.parametrize("name", [name for name in (*RULES, *PRESENT) if name != "tally"])
    def test_it_says_what_the_function_does_without_the_frame(
        self, df: pd.DataFrame, name: str
    ) -> None:
        function = getattr(nbrank, name)
        said, whole = (
            inspect.getdoc(one).splitlines() for one in (getattr(df.rank, name), function)
        )
        frame = next(iter(inspect.signature(function).parameters))
        assert frame not in said
        start = whole.index(frame)
        left_out = [frame, *itertools.takewhile(lambda line: line[:1] == " ", whole[start + 1 :])]
        assert said == whole[:start] + whole[start + len(left_out) :]

    def test_no_heading_is_left_without_parameters(self, df: pd.DataFrame) -> None:
        assert "Parameters" not in df.rank.tally.__doc__

    def test_help(self, df: pd.DataFrame) -> None:
        text = pydoc.render_doc(df.rank.borda, renderer=pydoc.plaintext)
        assert inspect.getdoc(nbrank.borda).splitlines()[0] in text
        assert "borda(*,weights" in "".join(text.split())

    def test_subclasses_have_them(self, complete: pd.DataFrame) -> None:
        class Board(pd.DataFrame):
            pass

        assert_frame_equal(Board(complete).rank.borda(), nbrank.borda(complete))

    def test_no_function_of_scores_is_forgotten(self) -> None:
        functions = {name: getattr(nbrank, name) for name in nbrank.__all__}
        of_scores = {
            name
            for name, function in functions.items()
            if inspect.isfunction(function)
            and next(iter(inspect.signature(function).parameters)) == "scores"
        }
        takes_no_scores = {
            name
            for name, rule in nbrank.RULES.items()
            if not rule.supports(nbrank.Leaderboard.provides)
        }
        assert of_scores - takes_no_scores <= {*RULES, *PRESENT}

    def test_rules_that_take_only_comparisons_are_not_there(self, df: pd.DataFrame) -> None:
        others = [
            name
            for name, rule in nbrank.RULES.items()
            if not rule.supports(nbrank.Leaderboard.provides)
        ]
        assert not [name for name in others if hasattr(df.rank, name)]


class TestItShowsWhatItOffers:
    def test_dir_lists_the_methods_and_nothing_else(self, df: pd.DataFrame) -> None:
        public = [name for name in dir(df.rank) if not name.startswith("_")]
        assert public == sorted([*RULES, *PRESENT])

    def test_the_repr_gives_each_method_a_line(self, df: pd.DataFrame) -> None:
        lines = repr(df.rank).splitlines()
        listed = {line.split()[0]: line for line in lines if line.startswith("  ")}
        assert sorted(listed) == sorted([*RULES, *PRESENT])
        for name in RULES:
            assert listed[name].endswith(nbrank.RULES[name].answers)
        assert [line for line in lines if line.startswith("rules: ")] == [
            *("rules: means", "rules: points for places", "rules: places, in rounds"),
            *("rules: pairs of systems", "rules: the nearest order", "rules: models of strength"),
        ]

    def test_so_does_the_html(self, df: pd.DataFrame) -> None:
        html = df.rank._repr_html_()
        tree = ET.fromstring(f"<div>{html}</div>")
        assert [code.text for code in tree.iter("code")][2:] == [
            line.split()[0] for line in repr(df.rank).splitlines() if line.startswith("  ")
        ]
        assert escape(nbrank.RULES["borda"].answers) in html

    def test_html_is_escaped(self, df: pd.DataFrame, monkeypatch: pytest.MonkeyPatch) -> None:
        described = replace(METHODS["borda"], question="Is a < b & c?")
        monkeypatch.setitem(METHODS, "borda", described)
        assert "Is a &lt; b &amp; c?" in df.rank._repr_html_()

    def test_a_notebook_completes_it(self, df: pd.DataFrame) -> None:
        from IPython.core.completer import IPCompleter, provisionalcompleter

        completer = IPCompleter(namespace={"df": df}, use_jedi=False)
        with provisionalcompleter():
            typed = "df.rank.bo"
            # IPython's versions differ in how much of what was typed they replace.
            assert "df.rank.borda" in [
                typed[: found.start] + found.text + typed[found.end :]
                for found in completer.completions(typed, len(typed))
            ]

    def test_a_wrong_name_is_refused_by_that_name(self, df: pd.DataFrame) -> None:
        with pytest.raises(AttributeError, match=r"df\.rank has no method 'bordaa'") as caught:
            _ = df.rank.bordaa
        assert caught.value.name == "bordaa"

    @pytest.mark.parametrize(
        ("name", "advice"),
        [
            ("bordaa", r"; did you mean borda\?$"),
            ("brda", r"; did you mean borda\?$"),
            ("copland", r"; did you mean copeland.*\?$"),
            ("kendall_tau", r", but there is nbrank\.agreement\.kendall_tau$"),
            ("quality", r", but there is nbrank\.consensus\.quality$"),
            ("smith_set", r", but there is nbrank\.tournament\.smith_set$"),
            ("harmonic", r"; did you mean harmonic_mean\?$"),
            ("zzz", r"; print\(df\.rank\) lists them all$"),
            ("elo", r": this needs comparisons, .* nbrank\.elo\(nbrank\.from_comparisons\("),
            ("from_long", r", but there is nbrank\.from_long$"),
            ("from_comparisons", r", but there is nbrank\.from_comparisons$"),
            ("Leaderboard", r", but there is nbrank\.Leaderboard$"),
            ("charts", r", but there is nbrank\.charts$"),
            ("_repr_markdown_", "$"),
        ],
    )
    def test_it_says_what_was_meant(self, df: pd.DataFrame, name: str, advice: str) -> None:
        assert not hasattr(df.rank, name)
        with pytest.raises(AttributeError, match=rf"^df\.rank has no method '{name}'{advice}"):
            getattr(df.rank, name)

    def test_what_it_proposes_is_there(self, df: pd.DataFrame) -> None:
        for name in ("from_long", "from_comparisons", "Leaderboard", "charts", "elo"):
            assert hasattr(nbrank, name)
        for name in ("borda", "copeland", "harmonic_mean"):
            assert hasattr(df.rank, name)

    def test_python_proposes_nothing_besides(self) -> None:
        said = run(
            "-c",
            "import pandas as pd, nbrank, traceback\n"
            "try:\n    pd.DataFrame().rank.bordaa\n"
            "except AttributeError:\n    print(traceback.format_exc())",
        )
        assert said.lower().count("did you mean") == 1

    def test_looking_imports_neither_charts_nor_widgets(self) -> None:
        said = run(
            "-c",
            "import sys, pandas as pd, nbrank; df = pd.DataFrame({'t': [1.0]});"
            "df.rank._repr_html_(), repr(df.rank), dir(df.rank);"
            "[getattr(df.rank, name) for name in dir(df.rank)];"
            "print([name for name in ('altair', 'ipywidgets', 'dask') if name in sys.modules])",
        )
        assert said == "[]"

    def test_every_lazy_function_has_its_line(self) -> None:
        lazy = {name for name in PRESENT if name not in vars(nbrank)}
        assert {"report", "explore"} <= lazy
        for name in lazy:
            # As short as those of the rules, and said without importing the function.
            assert METHODS[name].question.endswith(".")
            assert METHODS[name].load() is getattr(nbrank, name)


class TestItCanBeTakenAway:
    def test_uninstall_leaves_pandas_untouched(self, df: pd.DataFrame) -> None:
        accessor.uninstall()
        assert "rank" not in vars(pd.DataFrame)
        assert isinstance(df.rank, types.MethodType)
        accessor.uninstall()
        assert_frame_equal(df.rank(), pd.DataFrame.rank(df))

    def test_install_twice_is_install_once(self) -> None:
        accessor.install()
        accessor.install()
        accessor.uninstall()
        assert "rank" not in vars(pd.DataFrame)

    def test_what_dataframe_itself_had_is_kept(
        self, df: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def rank(self: pd.DataFrame) -> str:
            return "another pandas"

        accessor.uninstall()
        monkeypatch.setattr(pd.DataFrame, "rank", rank)
        accessor.install()
        assert df.rank() == "another pandas"
        assert pd.DataFrame.rank is rank
        assert_frame_equal(df.rank.borda(), nbrank.borda(df))
        accessor.uninstall()
        assert vars(pd.DataFrame)["rank"] is rank

    def test_what_somebody_else_set_later_is_left_alone(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        accessor.uninstall()
        monkeypatch.setattr(pd.DataFrame, "rank", "theirs")
        accessor.uninstall()
        assert pd.DataFrame.rank == "theirs"

    def test_import_installs_it_without_a_warning(self) -> None:
        said = run("-W", "error", "-c", "import nbrank, pandas as pd; print(pd.DataFrame().rank)")
        assert said.startswith("df.rank(...) is pandas' own")

    def test_unless_the_environment_says_no(self) -> None:
        code = "import nbrank, pandas as pd; print('rank' in vars(pd.DataFrame))"
        assert run("-c", code, NBRANK_ACCESSOR="0") == "False"
        assert run("-c", code, NBRANK_ACCESSOR="1") == "True"


# pandas ships its tests. These are the ones about rank, apply and the API, but for those of the
# numba engine, whose compiler takes longer than all the rest, and the rank of 2 ** 24 rows.
PANDAS_TESTS = (
    "frame/methods/test_rank.py",
    "frame/test_api.py",
    "apply",
    "api",
)
NOT_THESE = "not numba and not many_rows"


@pytest.mark.full
def test_pandas_own_tests_give_the_same_results(tmp_path: Path) -> None:
    tests = Path(pd.__file__).parent / "tests"
    if not tests.is_dir():
        pytest.skip("this build of pandas comes without its tests")
    inherited = ("PYTEST_", "NBRANK_ACCESSOR")
    environment = {k: v for k, v in os.environ.items() if not k.startswith(inherited)}
    environment |= {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

    def run(name: str, plugin: str) -> tuple[int, dict[tuple[str, str], str]]:
        report = tmp_path / f"{name}.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", plugin]
        command += [f"--junitxml={report}", "--assert=plain", "-k", NOT_THESE]
        command += [str(tests / test) for test in PANDAS_TESTS]
        finished = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        # 0 all passed, 1 some failed; else no run.
        assert finished.returncode in (0, 1), finished.stderr
        return finished.returncode, outcomes(report)

    failed, with_nbrank = run("with", "nbrank")
    assert sum(outcome == "passed" for outcome in with_nbrank.values()) > 1000
    # What fails has to fail, and in the same words, without nbrank, too.
    assert not failed or with_nbrank == run("without", "no:nbrank")[1]


def outcomes(report: Path) -> dict[tuple[str, str], str]:
    """Test -> passed, failed, error or skipped, and why (less the addresses of objects)."""
    found = {}
    for case in ET.parse(report).iter("testcase"):
        children = [child for child in case if child.tag in ("failure", "error", "skipped")]
        said = f"{children[0].tag}: {children[0].get('message')}" if children else "passed"
        found[case.get("classname", ""), case.get("name", "")] = re.sub("0x[0-9a-f]+", "", said)
    return found


def assert_same_outcome(one: Callable[[], pd.DataFrame], other: Callable[[], pd.DataFrame]) -> None:
    """Both give equal frames, or both raise the same error."""
    expected, found = outcome(other), outcome(one)
    if isinstance(expected, pd.DataFrame):
        assert_frame_equal(found, expected)
    else:
        assert found == expected


def outcome(call: Callable[[], pd.DataFrame]) -> pd.DataFrame | tuple[type, str]:
    try:
        return call()
    except Exception as error:  # noqa: BLE001 (whatever pandas raises, ours must raise)
        return type(error), str(error)
