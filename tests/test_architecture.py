"""Imports run one way, those inside functions too; and an import loads nothing it doesn't need."""

import ast
import json
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

pytestmark = pytest.mark.source

PACKAGE = Path(__file__).parents[1] / "nbrank"
MODULES = sorted(PACKAGE.rglob("*.py"))
#: From the ground up. What stands on one floor may import what is below it, and its neighbours.
FLOORS = (
    ("arrays",),
    ("votes",),
    ("rules",),
    ("comparison", "uncertainty", "robustness", "agreement", "consensus", "tournament"),
    ("readers", "experiments", "metrics", "axioms", "datasets", "synthetic"),
    ("findings",),
    ("charts",),
    ("frontends", "accessor", "__init__", "__main__"),
)
#: What can be ranked.
SOURCES = {"Leaderboard", "Tally", "WeightedTally", "Comparisons"}
LONGEST = 450
MOST_FILES_OF_A_RULE = 28


def asks_for_a_source(node: ast.AST) -> bool:
    """Whether code asks which source its votes are, or says so to the type checker."""
    if isinstance(node, ast.Compare):
        operands = [node.left, *node.comparators]
        tests = any(isinstance(operator, ast.In | ast.NotIn) for operator in node.ops)
        return tests and any(getattr(part, "attr", "") == "provides" for part in operands)
    if not isinstance(node, ast.Call):
        return False
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    texts = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
    return {
        "isinstance": bool(names & SOURCES),
        "cast": bool((names | texts) & SOURCES),
        "getattr": "provides" in texts,
    }.get(getattr(node.func, "id", ""), False)


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 2 else parts)


NAMES = {module_name(path): path for path in MODULES}


def imported(name: str) -> set[str]:
    """The modules of ours that a module imports, at its top or inside functions."""
    found = set()
    for node in ast.walk(ast.parse(NAMES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: imports are absolute"
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (inside & NAMES.keys()) or {node.module}
    return {"nbrank.__init__" if one == "nbrank" else one for one in found} & NAMES.keys()


def floor(name: str) -> int:
    part = name.split(".")[1]
    return next((number for number, parts in enumerate(FLOORS) if part in parts), -1)


@pytest.mark.parametrize("name", NAMES)
def test_every_module_is_on_a_floor_and_imports_nothing_from_above(name):
    assert floor(name) >= 0, "give it a floor"
    above = sorted(one for one in imported(name) if floor(one) > floor(name))
    assert not above


def test_no_files_import_each_other_in_a_circle():
    left = {name: imported(name) - {name} for name in NAMES}
    while free := [name for name, needs in left.items() if not needs & left.keys()]:
        for name in free:
            del left[name]
    assert not left


def test_a_rule_on_places_needs_few_files():
    reached, left = set(), {"nbrank.rules.positional_rules"}
    while left:
        reached |= left
        left = set().union(*map(imported, left)) - reached - {"nbrank.__init__"}
    assert len(reached) <= MOST_FILES_OF_A_RULE, sorted(reached)


def test_no_two_modules_have_one_name():
    files = [path for path in MODULES if not path.stem.startswith("__")]
    names = Counter(path.stem for path in files)
    assert [name for name, number in names.items() if number > 1] == []


@pytest.mark.parametrize("name", NAMES)
def test_no_file_is_longer_than_one_can_read_at_a_time(name):
    assert len(NAMES[name].read_text(encoding="utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize("name", [name for name in NAMES if floor(name) in (2, 3)])
def test_rules_and_questions_ask_for_views_and_not_what_they_were_given(name):
    for node in ast.walk(ast.parse(NAMES[name].read_text(encoding="utf-8"))):
        assert not asks_for_a_source(node), f"line {node.lineno}: use a FunctionBySource"


@pytest.mark.parametrize("name", [name for name in NAMES if floor(name) > 3])
def test_what_people_open_looks_for_no_view_in_what_it_was_given(name):
    for node in ast.walk(ast.parse(NAMES[name].read_text(encoding="utf-8"))):
        looks = isinstance(node, ast.Compare) and asks_for_a_source(node)
        assert not looks, f"line {node.lineno}: let the votes say it, as `has_scores` does"


@pytest.mark.parametrize(
    ("code", "asks"),
    [
        ("isinstance(votes, Leaderboard)", True),
        ("'sequence' in votes.provides", True),
        ("'sequence' in getattr(votes, 'provides', ())", True),
        ("cast('Comparisons', votes)", True),
        ("rule.supports(votes.provides)", False),
        ("isinstance(scores, pd.DataFrame)", False),
    ],
)
def test_what_counts_as_asking_for_a_source(code, asks):
    assert any(map(asks_for_a_source, ast.walk(ast.parse(code)))) is asks


@pytest.mark.parametrize("name", [name for name in NAMES if floor(name) == 0])
def test_the_arrays_know_nothing_of_labels(name):
    top_level = set()
    for node in ast.walk(ast.parse(NAMES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            top_level |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            top_level.add(node.module.split(".")[0])
    assert top_level <= {"numpy", "scipy", "nbrank"} | set(sys.stdlib_module_names)


SLOW = [
    "IPython", "dask", "networkx", "numba",
    "pooch", "requests", "scipy", "sklearn", "tqdm",
]  # fmt: skip
IMPORT_MAIN = "from nbrank.frontends.command_line import main"
CHART_LIBRARIES = {"altair", "anywidget", "ipywidgets", "jsonschema", "vl_convert"}


def loaded_by(*statements: str) -> dict[str, set[str]]:
    """Statement -> the slow libraries that a fresh interpreter holds after it and those before."""
    noted = [f"{statement}\nnote({statement!r})" for statement in statements]
    code = (
        "import json, sys\nheld = {}\n"
        "def note(statement): held[statement] = sorted({*sys.modules})\n"
        + "\n".join(noted)
        + "\nprint(json.dumps(held))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PACKAGE.parent
    )
    held = json.loads(run.stdout.splitlines()[-1])
    slow = {*SLOW, *CHART_LIBRARIES}
    return {
        statement: {name.split(".")[0] for name in modules} & slow
        for statement, modules in held.items()
    }


def test_importing_and_ranking_load_only_numpy_and_pandas():
    pandas, *ours = loaded_by(
        "import pandas",
        "import nbrank",
        "import nbrank.datasets",
        "df = nbrank.datasets.load_llm_chat()",
        "df.rank.borda()",
    ).values()
    assert len(ours) == 4
    assert all(loaded == pandas for loaded in ours), ours


def test_the_command_line_ranks_and_draws_a_picture_without_the_chart_library(tmp_path):
    file, picture = tmp_path / "scores.csv", tmp_path / "picture.svg"
    file.write_text("system,a,b,c\nA,1,2,3\nB,2,3,1\nC,4,2,1\n", encoding="utf-8")
    asked = [[], ["--rule", "all"], ["--winners"], ["--confidence"], ["--picture", str(picture)]]
    held = loaded_by(
        IMPORT_MAIN, *(f"assert main({[str(file), *arguments]!r}) == 0" for arguments in asked)
    )
    assert len(held) == 6
    for statement, loaded in held.items():
        assert not loaded & CHART_LIBRARIES, statement
    assert picture.exists()


def test_a_file_is_ranked_in_little_more_time_than_pandas_and_scipy_take_to_load(tmp_path):
    file = tmp_path / "scores.csv"
    file.write_text("system,a,b,c\nA,1,2,3\nB,2,3,1\nC,4,2,1\n", encoding="utf-8")
    statements = (
        "import pandas, scipy.optimize",
        f"{IMPORT_MAIN}; main([{str(file)!r}])",
    )
    # In turns, so that a machine that is busy for a while is busy for both.
    seconds = [[_seconds(statement) for statement in statements] for _ in range(2)]
    libraries, ours = map(min, zip(*seconds, strict=True))
    assert ours <= 2.5 * libraries


def _seconds(statement: str) -> float:
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", statement], capture_output=True, check=True, cwd=PACKAGE.parent
    )
    return time.perf_counter() - start


def test_a_folder_lists_what_other_folders_take(script):
    writer = script("write_doors")
    for folder, taken in writer.find_doors().items():
        text = (PACKAGE / folder / "__init__.py").read_text(encoding="utf-8")
        assert writer.make_door(text, folder, taken) == text, (
            f"run docs/scripts/write_doors.py, and see whether nbrank/{folder}/ should give that"
        )


ROOT = PACKAGE.parent
#: Pages for people who change nbrank, and where a path on them may begin.
PAGES = ["CONTRIBUTING.md", "docs/architecture.md", "docs/tests.md"]
BEGINNINGS = [ROOT, PACKAGE, ROOT / "docs"]
PATH = re.compile(r"[\w./*]+\.(?:py|pyi|md|toml|txt)|[\w/]+/")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_for_the_next_person_names_only_what_exists(page):
    files = [path for top in (PACKAGE, ROOT / "tests", ROOT / "docs") for path in top.rglob("*.py")]
    texts = [path.read_text(encoding="utf-8") for path in (*files, ROOT / "pyproject.toml")]
    known = set(re.findall(r"\w+", "\n".join(texts)))
    lost = []
    for quoted in re.findall(r"`([^`\n]+)`", (ROOT / page).read_text(encoding="utf-8")):
        place, _, name = quoted.partition(": ")
        if PATH.fullmatch(place):
            found = [path for path in files if path.match(place)]
            exists = found or any((top / place).exists() for top in BEGINNINGS)
            defined = not name or any(f"def {name}(" in path.read_text() for path in found)
            lost += [] if exists and defined else [quoted]
        else:
            words = re.findall(r"[A-Za-z_]\w+", quoted)
            # `is_` is the beginning of a name.
            lost += [word for word in words if word not in known and not word.endswith("_")]
    assert lost == []
