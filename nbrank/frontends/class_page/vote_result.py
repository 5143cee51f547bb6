"""What the ballots of a class come to: winners, rounds, duels, and what would change them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from nbrank.comparison.pairwise_wins import pairwise
from nbrank.comparison.rules_side_by_side import winners
from nbrank.findings.labels import abbreviate_labels, join_labels, rule_title
from nbrank.findings.verdict import spell_number
from nbrank.frontends.class_page.pasted_ballots import PastedBallots
from nbrank.robustness.victory_margins import margin_of_victory
from nbrank.rules.registry import RULES
from nbrank.votes.leaderboard import Leaderboard

#: The rules with a card each -> what they count.
CARDS = {
    "plurality": "most first places",
    "instant_runoff": "the last drops out",
    "borda": "points for each one behind",
    "condorcet": "wins each duel",
}
#: Further rules, whose winners are listed.
_FURTHER = (
    *("copeland", "minimax", "schulze", "kemeny", "bucklin", "antiplurality"),
    *("coombs", "baldwin", "nanson"),
)
#: An exact consensus of more options takes too long for a class.
_MAX_KEMENY = 8
_MAX_NAME = 18


@dataclass(frozen=True)
class Round:
    """The votes of the options left, who goes, and how many votes move from whom to whom."""

    votes: pd.Series
    out: list[str]
    moved: pd.DataFrame


@dataclass(frozen=True)
class VoteResult:
    """All that the page shows of some ballots."""

    ballots: PastedBallots

    @cached_property
    def board(self) -> Leaderboard:
        """The ballots, as votes for every rule, with names that are short enough for a table."""
        scores = self.ballots.board.scores
        short = dict(zip(scores.index, abbreviate_labels(scores.index, _MAX_NAME), strict=True))
        return Leaderboard(scores.rename(index=short), counts=self.counts, lower_is_better=False)

    @property
    def counts(self) -> list[int]:
        """How many voters cast each ballot."""
        return [ballot.count for ballot in self.ballots.ballots]

    @cached_property
    def winners(self) -> dict[str, list[str]]:
        """Rule -> who wins; nobody, where no option wins every duel."""
        return elect(self.board, list(CARDS))

    @cached_property
    def duels(self) -> pd.DataFrame:
        """How many voters put the row before the column; those who tie them count half."""
        return pairwise(self.board)

    @cached_property
    def scores(self) -> dict[str, pd.Series]:
        """Rule -> what it counts, most first."""
        duels = self.duels.to_numpy()
        won = pd.Series((duels > duels.T).sum(axis=1), self.duels.index)
        return {
            "plurality": RULES["plurality"].function(self.board)["score"],
            "instant_runoff": self.rounds[-1].votes,
            "borda": RULES["borda"].function(self.board)["score"],
            "condorcet": won.sort_values(ascending=False, kind="stable"),
        }

    @cached_property
    def further(self) -> dict[str, list[str]]:
        """Rule -> who wins, of the rules without a card."""
        rules = [r for r in _FURTHER if r != "kemeny" or len(self.board.systems) <= _MAX_KEMENY]
        found = elect(self.board, rules)
        named = (self.board.scores > 0) @ self.counts
        if named.min() < self.ballots.n_voters:  # some leave options out: who is named most?
            found["approval of all who are named"] = list(named.index[named == named.max()])
        return found

    @cached_property
    def rounds(self) -> list[Round]:
        """The rounds of instant runoff, up to the one that decides."""
        ranking = RULES["instant_runoff"].function(self.board)["score"]
        found = []
        for number in range(max(int(ranking.max()), 1)):
            left = ranking.index[ranking >= number]
            out = list(ranking.index[ranking == number]) if ranking.max() > number else []
            here, after = (
                _first_shares(self.board.scores.loc[names])
                for names in (left, left.difference(out, sort=False))
            )
            moved = pd.DataFrame(
                (here.loc[out].to_numpy() * self.counts) @ after.to_numpy().T, out, after.index
            )
            found.append(Round(here @ self.counts, out, moved))
        return found

    @cached_property
    def eliminations(self) -> dict[str, list[list[str]]]:
        """Rule that goes in rounds -> who goes in each of them."""
        found = {}
        for rule in ("coombs", "baldwin", "nanson"):
            survived = RULES[rule].function(self.board)["score"]
            found[rule] = [
                list(survived.index[survived == number]) for number in range(int(survived.max()))
            ]
        return found

    @cached_property
    def without(self) -> dict[str, dict[str, list[str]]]:
        """Option -> the winners if it were not there; of two options nobody would choose."""
        systems = self.board.systems
        if len(systems) < 3:
            return {}
        return {
            option: elect(self.board.select_systems([s for s in systems if s != option]), [*CARDS])
            for option in systems
        }

    @cached_property
    def headline(self) -> str:
        """Say how many rules have how many winners."""
        won = list(dict.fromkeys(name for found in self.winners.values() for name in found))
        number = spell_number(len(won))
        text = f"{self.ballots.n_voters} ballots, four rules, "
        if len(won) == 1:
            text += f"one winner: {won[0]}."
        else:
            text += f"{number} winners: the rule decides."
        return text + " Nobody wins every duel." * (not self.winners["condorcet"])

    def explain(self, rule: str) -> str:
        """Say in a line what makes the winners of a card win."""
        first, scores = self.winners[rule], self.scores[rule]
        n, m = self.ballots.n_voters, len(self.board.systems)
        each = "each " * (len(first) > 1)
        if rule == "plurality":
            return f"{scores.iloc[0]:.4g} of {n} put {each or 'it '}first"
        if rule == "borda":
            return f"{each}{scores.iloc[0]:.4g} of {(m - 1) * n} points"
        if rule == "instant_runoff":
            last = " to ".join(f"{votes:.4g}" for votes in scores.iloc[:3])
            return f"{last} in the last round" if len(scores) < 4 else "all level in the last round"
        if not first:
            return "each option is level with another, or loses to it"
        closest = self._closest_rival(first[0])
        return f"{m - 1} of {m - 1}; {self.duel(first[0], closest)} against {closest}"

    def duel(self, one: str, other: str) -> str:
        """Say how many prefer the one, and how many the other."""
        return f"{self.duels.loc[one, other]:.4g} to {self.duels.loc[other, one]:.4g}"

    def _closest_rival(self, option: str) -> str:
        lead = self.duels.loc[option] - self.duels[option]
        return lead.drop(option).idxmin()

    @cached_property
    def changes(self) -> list[str]:
        """Say for each card how few voters could change who wins."""
        return [text for rule in CARDS if (text := self._describe_change(rule))]

    def _describe_change(self, rule: str) -> str:
        first, title = self.winners[rule], sentence_start(rule_title(rule))
        if len(first) > 1:
            return f"{title}: {join_labels(first)} are level, and one voter can decide."
        if rule in ("plurality", "borda"):
            found = margin_of_victory(self.board, rule)
            number, rival = found.loc["tasks", "least"], found.loc["tasks", "rival"]
            if np.isnan(number):
                return ""
            who = "voter who changes the" if number == 1 else "voters who change their"
            ballots = "ballot makes" if number == 1 else "ballots make"
            return f"{title}: {spell_number(int(number))} {who} {ballots} {rival} win."
        pairs = self._pairs_to_swap(rule, first)
        for number, ahead, behind in sorted(pairs, key=lambda pair: pair[0]):
            now = elect(self._swapped(ahead, behind, number), [rule])[rule]
            if now != first:
                who = "voter who swaps" if number == 1 else "voters who swap"
                makes = "makes" if number == 1 else "make"
                wins = f"{join_labels(now)} win" if now else "every option lose or tie a duel"
                pair = f"{ahead} and {behind}"
                return f"{title}: {spell_number(number)} {who} {pair} {makes} {wins}."
        return ""

    def _pairs_to_swap(self, rule: str, first: list[str]) -> list[tuple[int, str, str]]:
        """List narrow decisions: how many voters turn one, who is ahead in it, and who behind."""
        if rule == "condorcet":
            duels = [(winner, self._closest_rival(winner)) for winner in first]
            leads = [self.duels.loc[pair] - self.duels.loc[pair[::-1]] for pair in duels]
            return [(int(lead // 2) + 1, *pair) for lead, pair in zip(leads, duels, strict=True)]
        found = []
        for played in self.rounds:
            votes = played.votes.drop(played.out)
            if len(played.out) == 1 and len(votes):
                (out,), ahead = played.out, votes.idxmin()
                found.append((int((votes.min() - played.votes[out]) // 2) + 1, ahead, out))
        return found

    def _swapped(self, ahead: str, behind: str, number: int) -> Leaderboard:
        """Return the votes after some voters swap two options, those first who put both high."""
        voters = np.repeat(self.board.scores.to_numpy(), self.counts, axis=1)
        one, other = (self.board.scores.index.get_loc(name) for name in (ahead, behind))
        place = (voters > voters[one]).sum(axis=0)
        able = np.flatnonzero(voters[one] > voters[other])
        chosen = able[np.lexsort((-voters[other][able], place[able]))][:number]
        voters[np.ix_([one, other], chosen)] = voters[np.ix_([other, one], chosen)]
        return Leaderboard(pd.DataFrame(voters, self.board.scores.index), lower_is_better=False)


def elect(board: Leaderboard, rules: list[str]) -> dict[str, list[str]]:
    """Return the winners by some rules."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of ballots there are few; the page says it
        found = winners(board, rules)
    return {str(rule): list(names) for rule, names in found.items()}


def _first_shares(scores: pd.DataFrame) -> pd.DataFrame:
    """Return the share of each ballot that an option gets: all, or that of those who tie."""
    first = scores.eq(scores.max()) if len(scores) else scores.astype(bool)
    return first / first.sum()


def sentence_start(text: str) -> str:
    """Write the first letter large."""
    return text[:1].upper() + text[1:]
