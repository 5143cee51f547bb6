"""Missing scores: delete some, and see which ranks survive."""

from __future__ import annotations

import ipywidgets as widgets

from nbrank.findings.labels import MISSING_DESCRIPTIONS, abbreviate_labels, agree_verb, rule_title
from nbrank.frontends.workbench.page_head import describe_winner_change
from nbrank.frontends.workbench.tab import Tab, make_row
from nbrank.frontends.workbench.workbench_state import RULE_DEFAULT, WorkbenchState, WorkbenchView
from nbrank.rules.bound_rule import BoundRule
from nbrank.votes.formatting import pluralize


class MissingTab(Tab):
    """How missing scores count, a share that is deleted at random, and cells one by one."""

    title = "Missing scores"
    needs_cells = True

    def __init__(self, bench: WorkbenchState) -> None:
        self.board = board = bench.scores
        ways = [(f"{how}: {words}", how) for how, words in MISSING_DESCRIPTIONS.items()]
        missing = widgets.Dropdown(
            description="a missing score counts", options=[(RULE_DEFAULT, RULE_DEFAULT), *ways]
        )
        share = widgets.FloatSlider(
            min=0,
            max=0.9,
            step=0.05,
            description="share deleted at random",
            # The format isn't percent, because a typed 30 would then become the maximum.
            readout_format=".2f",
        )
        seed = widgets.BoundedIntText(
            min=0,
            max=10**6,
            description="another number deletes others",
            tooltip="The same number deletes the same scores again.",
            layout=widgets.Layout(width="22em"),
        )
        bench.link_controls(missing=missing, share=share, seed=seed)
        # A closed list shows only the beginning of a name, which all names may share.
        self._system, self._task = (
            widgets.Dropdown(
                options=[*zip(abbreviate_labels(of), of, strict=True)], description=what
            )
            for what, of in {"score of": board.systems, "on": board.tasks}.items()
        )
        self.delete = widgets.Button(description="delete it, or bring it back")
        self.restore = widgets.Button(description="bring all back")
        self.delete.on_click(lambda _: bench.toggle(self._system.value, self._task.value))
        self.restore.on_click(lambda _: bench.set_values(share=0.0, cells=(), kept=()))
        buttons = make_row([self.delete, self.restore])
        controls = [missing, share, seed, self._system, self._task, buttons]
        super().__init__(bench, *controls)
        self.pane.children = [self.html, *controls]

    def show(self, view: WorkbenchView) -> list[str]:
        """Say which ranks survive; the picture shows the earlier ones."""
        gone = int(self.bench.deletions.deleted_mask(self.board).sum())
        if not gone:
            return self.render(
                ["Nothing is deleted yet: click a score in the picture, or move the slider."]
            )
        rule = BoundRule.bind(view.ordering_rule, **view.options)
        before, was = rule.rank_and_elect(view.votes_before_deletion)
        # A system whose scores are all deleted has no rank, so it neither survives nor moves.
        old = before["rank"].astype("Int64")
        new = view.ranking["rank"].astype("Int64").reindex(before.index)
        selected = f"{(old == new).sum()} of {len(old)} ranks by {rule_title(view.rule)} survive."
        names, now = self.bench.names, view.winners[view.rule]
        sentences = [f"{pluralize(gone, 'score')} deleted. {selected}"]
        if {*was} != {*now}:
            sentences.append(
                f"By {rule_title(view.rule)} {describe_winner_change(now, was, names)}."
            )
        elif was:
            sentences.append(f"{names.join(was, 3)} {agree_verb('stays', len(was))} first.")
        else:
            sentences.append("No system wins, as before.")
        if (moves := (new - old).abs().fillna(0).to_numpy()).any():
            far = int(moves.argmax())
            whom = names.short[old.index[far]]
            sentences.append(f"{whom} moves most, from rank {old.iloc[far]} to {new.iloc[far]}.")
        return self.render(sentences)
