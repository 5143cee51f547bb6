"""The guide for hosts: the workflow file that it shows runs, on a small repository."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import nbrank

GUIDE = Path(__file__).parents[3] / "docs" / "how_to" / "hosts.md"
OLD = """model,license,latency,mmlu,arc
Helio,mit,3,85.3,72.0
Kestrel,apache,5,83.7,73.3
Pangea,mit,9,82.8,63.5
"""
NEW = OLD + "Zephyrus,apache,4,90.1,76.1\n"
ROLES = """"model" = "system"
"license" = "description"
"latency" = "lower"
"mmlu" = "higher"
"arc" = "higher"
"""

pytestmark = pytest.mark.skipif(
    not (shutil.which("git") and shutil.which("bash")), reason="there is no git, or no bash"
)


@pytest.fixture(scope="module")
def workflow():
    yaml = pytest.importorskip("yaml")
    (block,) = re.findall(r"```yaml\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    return yaml.safe_load(block)


@pytest.fixture(scope="module")
def commands(workflow):
    """What the steps run, but for the installation."""
    runs = [step["run"] for step in workflow["jobs"]["page"]["steps"] if "run" in step]
    assert runs[0].startswith("pip install ")
    return runs[1:]


class Repository:
    """A repository with two versions of a table, in which steps run as on GitHub."""

    def __init__(self, folder):
        self.folder = folder
        tools = folder.parent / "bin"
        tools.mkdir()
        command = tools / "nbrank"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m nbrank "$@"\n')
        command.chmod(0o755)
        source = str(Path(nbrank.__file__).parents[1])
        self.environment = os.environ | {
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": source,
            "GITHUB_STEP_SUMMARY": str(folder.parent / "summary.md"),
            "BEFORE": "0" * 40,
        }
        self.run("git init --quiet")

    def run(self, script):
        """Run a script as a step does; it fails at the first command that fails."""
        return subprocess.run(
            ["bash", "-e", "-c", script],
            cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False,
        )  # fmt: skip

    def commit(self, table):
        """Commit a table; the one before is what a workflow compares with."""
        head = self.run("git rev-parse HEAD")
        if not head.returncode:
            self.environment["BEFORE"] = head.stdout.strip()
        (self.folder / "scores.csv").write_text(table)
        (self.folder / "roles.toml").write_text(ROLES)
        who = "-c user.name=host -c user.email=host@example.org"
        assert not self.run(f"git add . && git {who} commit --quiet -m scores").returncode


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repository"
    folder.mkdir()
    return Repository(folder)


def test_it_runs_on_each_change_of_the_file(workflow):
    triggers = workflow[True]  # YAML 1.1 reads the key "on" as true.
    assert triggers["push"]["paths"] == triggers["pull_request"]["paths"]
    assert "scores.csv" in triggers["push"]["paths"]
    assert workflow["permissions"] == {"contents": "read"}
    page, publish = workflow["jobs"]["page"], workflow["jobs"]["publish"]
    assert page["steps"][0]["with"]["fetch-depth"] == 0
    assert publish["needs"] == "page"
    assert "main" in publish["if"]
    assert all("uses" in step or "run" in step for step in page["steps"] + publish["steps"])


def test_its_commands_write_the_page_and_the_summary(repository, commands):
    repository.commit(OLD)
    repository.commit(NEW)
    for command in commands:
        done = repository.run(command)
        assert done.returncode == 0, done.stderr
        assert "warning" not in done.stderr
    html = (repository.folder / "public" / "index.html").read_text(encoding="utf-8")
    assert "What changed since?" in html
    assert "1 system came in (Zephyrus)." in html
    assert "SHA-256 <code>" in html
    assert "apache" in html
    assert (repository.folder / "before.csv").read_text() == OLD
    summary = (repository.folder.parent / "summary.md").read_text(encoding="utf-8")
    assert "Zephyrus is first" in summary
    table, _, words = summary.partition("\n    \n")
    assert all(line.startswith("    ") for line in table.splitlines())  # as it is, in columns
    assert words.startswith("Zephyrus is first")


def test_the_first_run_has_nothing_to_compare_with_and_still_has_a_page(repository, commands):
    repository.commit(OLD)
    for command in commands:
        assert repository.run(command).returncode == 0
    html = (repository.folder / "public" / "index.html").read_text(encoding="utf-8")
    assert "The systems and tasks are the same." in html


def test_a_table_that_is_wrong_ends_the_run_and_names_the_cell(repository, commands):
    repository.commit(OLD)
    repository.commit(NEW.replace("90.1", "9O.1"))
    assert repository.run(commands[0]).returncode == 0
    done = repository.run(commands[1])
    assert done.returncode == 2
    assert "9O.1" in done.stderr
    assert "Zephyrus" in done.stderr
