"""Type checkers see what users call: a wrong name or option is an error, a right one is not.

In the package itself there is none.
"""

import ast
import importlib
import inspect
import json
import pkgutil
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import nbrank
from nbrank import Comparisons, Leaderboard, Tally
from nbrank.rules.registry import RULES
from nbrank.votes.method_registry import METHODS
from nbrank.votes.table.task_options import PickOptions, RankBoundOptions, RuleOptions

ROOT = Path(__file__).parents[1]
USER_CODE = ROOT / "tests" / "typing" / "front_door.py"
#: Public modules and the functions that users find in them.
MODULES = [
    "nbrank",
    *(f"nbrank.{name}" for name in sorted(set(dir(nbrank)) - set(nbrank.__all__) - {"accessor"})),
]
#: A folder of questions, and a chart of experiments: neither hides the other.
SHARED_NAMES = {"nbrank.robustness"}


def wrong_lines() -> set[int]:
    lines = USER_CODE.read_text(encoding="utf-8").splitlines()
    return {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}


def public_functions(module: str) -> set[str]:
    loaded = importlib.import_module(module)
    names = getattr(loaded, "__all__", None) or [
        name for name, value in vars(loaded).items() if getattr(value, "__module__", "") == module
    ]
    return {name for name in names if inspect.isroutine(getattr(loaded, name))}


def test_the_user_code_holds_every_call_of_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    calls = set(re.findall(r"(?:\w+\.rank|nbrank)\.(\w+)\(", readme))
    assert {"borda", "best_set", "changes", "explore"} <= calls
    user_code = USER_CODE.read_text(encoding="utf-8")
    assert {name for name in calls if f"nbrank.{name}(" not in user_code} == set()


@pytest.fixture(scope="module")
def mypy():
    """What mypy says, asked once of the package, as pyproject.toml has it, and of the user code."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    files = [*settings["tool"]["mypy"]["files"], USER_CODE.relative_to(ROOT).as_posix()]
    return subprocess.run(
        [sys.executable, "-m", "mypy", *files],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.full
def test_mypy_finds_every_wrong_call_of_users_and_no_right_one(mypy):
    lines = re.findall(rf"^\S+{USER_CODE.name}:(\d+): error: ", mypy.stdout, re.MULTILINE)
    assert set(map(int, lines)) == wrong_lines(), mypy.stdout + mypy.stderr


@pytest.mark.full
def test_mypy_has_nothing_to_say_of_the_package(mypy):
    said = [line for line in mypy.stdout.splitlines() if f"{USER_CODE.name}:" not in line]
    assert len(said) == 1, said
    assert re.match(r"Found \d+ errors in 1 file \(checked \d+ source files\)", said[0])
    assert mypy.stderr == ""


@pytest.mark.full
def test_basedpyright_finds_every_wrong_call_of_users_and_no_right_one(tmp_path):
    settings = {
        "typeCheckingMode": "strict",
        "include": [str(USER_CODE)],
        "extraPaths": [str(ROOT)],
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    run = subprocess.run(
        [
            *(sys.executable, "-m", "basedpyright", "--outputjson"),
            *("--project", str(tmp_path), "--pythonpath", sys.executable),
        ],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    reports = json.loads(run.stdout)["generalDiagnostics"]
    lines = {report["range"]["start"]["line"] + 1 for report in reports}
    assert lines == wrong_lines(), [report["message"] for report in reports]


def test_the_stub_of_methods_is_what_the_script_writes(script):
    writer = script("write_method_stubs")
    assert writer.make_stub() == writer.STUB.read_text(encoding="utf-8"), (
        "run docs/scripts/write_method_stubs.py"
    )


@pytest.mark.parametrize("source", [Leaderboard, Tally, Comparisons])
def test_the_stub_lists_the_methods_that_a_source_has(source, script):
    stub = ast.parse(script("write_method_stubs").STUB.read_text(encoding="utf-8"))
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    own = classes[f"{source.__name__}Methods"]
    listed = {
        node.targets[0].id
        for part in (own, *(classes[base.id] for base in own.bases))
        for node in part.body
        if isinstance(node, ast.Assign)
    }
    assert listed == {
        name for name, method in METHODS.items() if method.requires <= source.provides
    }


@pytest.mark.parametrize("options", [RuleOptions, PickOptions, RankBoundOptions])
def test_questions_know_every_option_of_every_rule(options):
    known = set(RuleOptions.__annotations__)
    assert {name for rule in RULES.values() for name in rule.parameters} == known
    assert set(options.__annotations__) >= known - {"time_limit", "k", "initial"}


def test_a_function_that_is_loaded_late_is_declared_to_type_checkers():
    text = (ROOT / "nbrank" / "__init__.py").read_text(encoding="utf-8")
    declared = text.partition("if TYPE_CHECKING:")[2].partition("\n__version__")[0]
    for name in {*nbrank._MODULES, *nbrank._LAZY_VIEWS}:
        assert re.search(rf"\b{name}\b(?!\.)", declared), name


def test_no_module_has_the_name_of_a_public_function():
    functions = set().union(*map(public_functions, MODULES))
    assert {"borda", "picture", "kendall_tau", "load_llm_chat"} <= functions
    shared = {
        module.name
        for module in pkgutil.walk_packages(nbrank.__path__, "nbrank.")
        if module.name.rpartition(".")[2] in functions
    }
    assert shared == SHARED_NAMES
