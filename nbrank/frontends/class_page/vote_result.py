"""What the ballots of a class come to: winners, rounds, pairs, and what would change them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from operator import itemgetter

import numpy as np
import pandas as pd

from nbrank.findings.labels import (
    abbreviate_labels,
    agree_verb,
    capitalize,
    join_labels,
    rule_title,
)
from nbrank.frontends.class_page.pasted_ballots import PastedBallots
from nbrank.frontends.vote_drawing import Round
from nbrank.rules.registry import RULES
from nbrank.votes.leaderboard import Leaderboard

#: Rule with a card -> what it counts.
CARDS = {
    "plurality": "most first places",
    "instant_runoff": "the last drops out",
    "borda": "points for each one behind",
    "condorcet": "beats each other option",
}
#: Further rules, of which only the winners are listed.
_FURTHER = (
    *("copeland", "minimax", "schulze", "kemeny", "bucklin", "antiplurality"),
    *("coombs", "baldwin", "nanson"),
)
#: Maximum number of options for an exact consensus within the patience of a class.
_MAX_KEMENY = 8
_MAX_NAME = 18


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
        """Rule -> who wins; nobody, where no option beats all others."""
        return elect(self.board, list(CARDS))

    @cached_property
    def wins(self) -> dict[tuple[str, str], float]:
        """How many voters put one before the other; those who tie them count half to each."""
        table = self.board.pairwise().to_numpy()
        names = enumerate(self.board.systems)
        return {(a, b): float(table[i, j]) for (i, a), (j, b) in permutations(names, 2)}

    @cached_property
    def lead(self) -> dict[tuple[str, str], float]:
        """How many voters more put one before the other."""
        return {(a, b): votes - self.wins[b, a] for (a, b), votes in self.wins.items()}

    @cached_property
    def scores(self) -> dict[str, dict[str, float]]:
        """Rule -> what it counts, most first."""
        won = {a: sum(more > 0 for (b, _), more in self.lead.items() if a == b)
               for a in self.board.systems}  # fmt: skip
        return {
            "plurality": _score("plurality", self.board),
            "instant_runoff": self.rounds[-1].votes,
            "borda": _score("borda", self.board),
            "condorcet": dict(sorted(won.items(), key=lambda item: -item[1])),
        }

    @cached_property
    def further(self) -> dict[str, list[str]]:
        """Rule -> who wins, of the rules without a card."""
        rules = [r for r in _FURTHER if r != "kemeny" or len(self.board.systems) <= _MAX_KEMENY]
        found = elect(self.board, rules)
        times = (self.board.scores.to_numpy() > 0) @ np.array(self.counts)
        named = dict(zip(map(str, self.board.systems), times.tolist(), strict=True))
        most = max(named.values())
        if min(named.values()) < self.ballots.n_voters:  # some ballots leave options out
            found["approval of all who are named"] = [a for a in named if named[a] == most]
        return found

    @cached_property
    def rounds(self) -> list[Round]:
        """The rounds of instant runoff, up to the one that decides."""
        survived = _score("instant_runoff", self.board)
        last = int(max(survived.values()))
        found = []
        for number in range(max(last, 1)):
            left = [name for name, score in survived.items() if score >= number]
            out = [name for name in left if survived[name] == number < last]
            here = self._first_votes(left)
            after = self._first_votes([name for name in left if name not in out])
            found.append(
                Round(
                    {name: float(votes.sum()) for name, votes in here.items()},
                    out,
                    # A ballot that two eliminated options share moves by their shares.
                    {(a, b): float((here[a] * after[b] / self.counts).sum())
                     for a in out for b in after},
                )
            )  # fmt: skip
        return found

    def _first_votes(self, names: list[str]) -> dict[str, np.ndarray]:
        """Map each of some options to the voters of each ballot that it gets: all, or its share."""
        scores = self.board.scores.loc[names].to_numpy()
        first = scores == scores.max(axis=0)
        return dict(zip(names, first / first.sum(axis=0) * self.counts, strict=True))

    @cached_property
    def winners_without(self) -> dict[str, dict[str, list[str]]]:
        """Option -> the winners without it; empty for two options, which leave no choice."""
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
        text = f"{self.ballots.n_voters} ballots, {len(CARDS)} rules, "
        if len(won) == 1:
            text += f"1 winner: {won[0]}."
        else:
            text += f"{len(won)} winners: the rule decides."
        return text + " No option beats all others." * (not self.winners["condorcet"])

    def explain(self, rule: str) -> str:
        """Say in a line what makes the winners of a card win."""
        first, votes = self.winners[rule], [f"{x:.4g}" for x in self.scores[rule].values()]
        n, m = self.ballots.n_voters, len(self.board.systems)
        if rule == "plurality":
            return f"{votes[0]} of {n} put {'it' if len(first) == 1 else 'each'} first"
        if rule == "borda":
            return f"{'each ' * (len(first) > 1)}{votes[0]} of {(m - 1) * n} points"
        if rule == "instant_runoff":
            last = "level" if len(first) > 1 else " to ".join(votes)
            return f"{last} in the last round"
        if not first:
            return "each option is level with another, or loses to it"
        pair = self._closest_pair(first[0])
        count = f"{self.wins[pair]:.4g} to {self.wins[pair[::-1]]:.4g}"
        return f"{m - 1} of {m - 1}; {count} against {pair[1]}"

    def _closest_pair(self, option: str) -> tuple[str, str]:
        return min((pair for pair in self.lead if pair[0] == option), key=self.lead.__getitem__)

    @cached_property
    def changes(self) -> list[str]:
        """Say for each card how few voters could change who wins, or that it is not computed."""
        return [self._describe_change(rule) for rule in CARDS]

    def _describe_change(self, rule: str) -> str:
        first, title = self.winners[rule], capitalize(rule_title(rule))
        if len(first) > 1:
            return f"{title}: {join_labels(first)} are level, and one voter can decide."
        if rule in ("plurality", "borda"):
            margin = self.board.margin_of_victory(rule).loc["tasks"].to_dict()
            ballots = f"{int(margin['least'])} changed ballot"
            puts = " puts" if margin["least"] == 1 else "s put"
            return f"{title}: {ballots}{puts} {margin['rival']} ahead of {first[0]}."
        for number, ahead, behind in sorted(self._pairs_to_swap(rule, first), key=itemgetter(0)):
            now = elect(self._swap_options(ahead, behind, number), [rule])[rule]
            if now != first:
                on = f"{number} ballot{'s' * (number > 1)}"
                then = f"{join_labels(now) or 'no option'} {agree_verb('wins', len(now) or 1)}"
                return f"{title}: with {ahead} and {behind} swapped on {on}, {then}."
        why = (
            "no swap in a single round was found to change it" if first else "since no option wins"
        )
        return f"{title}: not computed{';' if first else ','} {why}."

    def _pairs_to_swap(self, rule: str, first: list[str]) -> list[tuple[int, str, str]]:
        """List narrow decisions: how many voters turn one, who is ahead in it, and who behind."""
        if rule == "condorcet":
            pairs = [self._closest_pair(winner) for winner in first]
            return [(int(self.lead[pair] // 2) + 1, *pair) for pair in pairs]
        found = []
        for played in self.rounds:
            if len(played.eliminated) == 1:
                (out,) = played.eliminated
                ahead = min((a for a in played.votes if a != out), key=played.votes.__getitem__)
                gap = played.votes[ahead] - played.votes[out]
                found.append((int(gap // 2) + 1, ahead, out))
        return found

    def _swap_options(self, ahead: str, behind: str, number: int) -> Leaderboard:
        """Return the votes after some voters swap two options, those first who put both high."""
        voters = np.repeat(self.board.scores.to_numpy(), self.counts, axis=1)
        both = np.array([list(self.board.systems).index(name) for name in (ahead, behind)])
        one, other = both
        place = (voters > voters[one]).sum(axis=0)
        able = np.flatnonzero(voters[one] > voters[other])
        chosen = able[np.lexsort((-voters[other][able], place[able]))][:number]
        voters[both[:, None], chosen] = voters[both[::-1, None], chosen]
        return Leaderboard(pd.DataFrame(voters, list(self.board.systems)), lower_is_better=False)


def elect(board: Leaderboard, rules: list[str]) -> dict[str, list[str]]:
    """Return the winners by some rules."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the page says that the ballots are few
        found = board.winners(rules)
    return {str(rule): list(map(str, names)) for rule, names in found.items()}


def _score(rule: str, board: Leaderboard) -> dict[str, float]:
    """Return the score of each option by a rule, the best first."""
    score = RULES[rule].function(board)["score"]
    return {str(name): float(value) for name, value in score.items()}
