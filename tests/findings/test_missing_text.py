"""Comparisons whose groups never met: picture, report, workbench and command line say so."""

import pandas as pd
import pytest

import nbrank
from nbrank.findings.missing_text import groups_apart
from nbrank.frontends import command_line
from nbrank.votes.user_warnings import NeverMetWarning

APART = pd.DataFrame({"left": list("ABACCD"), "right": list("BABDDC"), "winner": list("ABACDC")})
SAID = (
    "2 groups of systems never met, directly or through others, and a rank compares the systems "
    "of one group only: (A and B), (C and D)"
)


def compared(frame):
    return nbrank.from_comparisons(frame, left="left", right="right", winner="winner")


LINKED = pd.concat([APART, pd.DataFrame({"left": ["B"], "right": ["C"], "winner": ["tie"]})])


def of_picture(votes):
    return votes.picture("copeland").caption


def of_report(votes):
    return votes.report().lead


def of_workbench(votes):
    return votes.explore().text


@pytest.mark.parametrize("look", [of_picture, of_report, of_workbench])
def test_whoever_looks_is_told_which_groups_never_met(look):
    with pytest.warns(NeverMetWarning):
        assert SAID in look(compared(APART))
    assert "never met, directly" not in look(compared(LINKED))


@pytest.mark.parametrize("options", [[], ["--rule", "copeland"], ["--format", "csv"]])
def test_the_command_line_says_so(options, tmp_path, capsys):
    for name, frame in (("apart", APART), ("linked", LINKED)):
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
        assert command_line.main([str(tmp_path / f"{name}.csv"), *options]) == 0
        output, beside = capsys.readouterr()
        assert (SAID in " ".join(output.split())) == (name == "apart" and not options)
        assert ("warning: groups of systems that never met" in beside) == (name == "apart")
        assert "comparisons.select_systems" not in beside


@pytest.mark.parametrize("page", [["--report", "page.html"], ["--picture", "picture.svg"]])
def test_pages_of_the_command_line_fall_back_to_copeland_as_the_table_does(
    page, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    APART.to_csv("apart.csv", index=False)
    assert command_line.main(["apart.csv", *page]) == 0
    output, notes = capsys.readouterr()
    assert "copeland" in output.splitlines()[0]
    assert "such as --option prior=1; ranked by copeland instead" in notes
    assert "Copeland" in (tmp_path / page[1]).read_text(encoding="utf-8")


def test_advice_on_the_command_line_is_an_option_of_it(tmp_path, capsys):
    APART.to_csv(tmp_path / "apart.csv", index=False)
    arguments = [str(tmp_path / "apart.csv"), "--rule", "bradley_terry"]
    assert command_line.main(arguments) == 2
    assert "or give a prior, such as --option prior=1" in capsys.readouterr()[1]
    assert command_line.main([*arguments, "--option", "prior=1"]) == 0
    assert "only the prior links them" in capsys.readouterr()[1]


def test_many_and_large_groups_are_cut_short():
    pairs = [(f"{group}{a}", f"{group}{b}") for group in "uvwxyz" for a, b in ((0, 1), (1, 2))]
    pairs += [("u2", f"u{number}") for number in range(3, 9)]
    frame = pd.DataFrame(pairs, columns=["left", "right"]).assign(winner="left")
    assert groups_apart(compared(frame)).endswith(
        "6 groups of systems never met, directly or through others, and a rank compares the "
        "systems of one group only: (u0, u1, u2, u3 and 5 more), (v0, v1 and v2), "
        "(w0, w1 and w2), (x0, x1 and x2) and 2 more"
    )


def test_scores_have_no_such_groups():
    assert groups_apart(nbrank.Leaderboard(pd.DataFrame({"t": [1, 2]}))) == ""
