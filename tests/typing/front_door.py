"""What users write, as type checkers see it; lines marked `# wrong` are errors, and no others."""

import pandas as pd

import nbrank
from nbrank.charts.board_drawing.saved_drawing import Drawing
from nbrank.frontends.report_page.page import Report

df: pd.DataFrame = nbrank.datasets.load_superglue_submissions()

# README, with functions in the place of `df.rank`, which is pandas' own to a checker.
first: pd.DataFrame = nbrank.borda(df).head(4)
nbrank.bordaa(df)  # wrong
nbrank.borda(df, weigths={})  # wrong
several: pd.DataFrame = nbrank.compare(df, ["mean", "borda", "minimax", "kemeny"])
nbrank.compare(df, rulse=["mean"])  # wrong
best: pd.DataFrame = nbrank.best_set(df, "borda")
nbrank.best_set(df, "borda", detla=0.1)  # wrong
sure: pd.DataFrame = nbrank.rank_confidence(df, "borda", seed=0).head(4)
nbrank.rank_confidence(df, "borda", sead=0)  # wrong
drawing: Drawing = nbrank.picture(df)
nbrank.picture(df, tpo=3)  # wrong
nbrank.pictures(df)  # wrong
page: Report = nbrank.report(df)
page.save("report.html")
page.saev("report.html")  # wrong
nbrank.report(df, rul="borda")  # wrong
paper = nbrank.summary(df)
nbrank.summary(df, rul="borda")  # wrong
moved: pd.DataFrame = nbrank.changes(df, df)
nbrank.changes(df, befor=df)  # wrong
nbrank.explore(df)
nbrank.explore(df, rul="borda")  # wrong
nbrank.explored(df)  # wrong
votes = nbrank.read("scores.csv")
nbrank.read_score("scores.csv")  # wrong

# Sources have the functions as methods.
board = nbrank.Leaderboard(df, weights={"RTE": 2})
nbrank.Leaderboard(df, weigths={"RTE": 2})  # wrong
points: pd.DataFrame = board.borda(missing="worst")
board.bordaa()  # wrong
board.borda(missing="wurst")  # wrong
board.elo()  # wrong
board.bootstrap("mean", n_draws=100, missing="ignore")
board.bootstrap("mean", n_draws=100, mising="ignore")  # wrong
board.picture().save("picture.svg")
counted = nbrank.tally(df)
counted.copeland()
counted.median()  # wrong
battles = nbrank.from_comparisons(df, winner="winner", loser="loser")
battles.elo(k=16)
battles.elo(K=16)  # wrong
battles.plurality()  # wrong

# Options of the table and of the rule, in questions.
nbrank.bootstrap(df, "borda", weights={"RTE": 2}, lower_is_better=["RTE"], time_limit=None)
nbrank.bootstrap(df, "borda", weigths={"RTE": 2})  # wrong
nbrank.rank_confidence(df, "normalized_mean", low=0, high={"RTE": 100})
nbrank.rank_confidence(df, "normalized_mean", lo=0)  # wrong
nbrank.cherry_pick(df, "borda", whole_groups=True)
nbrank.cherry_pick(df, "borda", group=True)  # wrong
nbrank.possible_ranks(df, "mean", weights=True)
nbrank.possible_ranks(df, "mean", weight=True)  # wrong
nbrank.leave_one_out(df, "borda", weights="balanced")
nbrank.leave_one_out(df, "borda", weights="balancd")  # wrong

# Modules that are loaded late.
nbrank.agreement.kendall_tau(first["rank"], points["rank"])
nbrank.agreement.kendal_tau(first["rank"], points["rank"])  # wrong
nbrank.consensus.quality(df, {"borda": first})
nbrank.consensus.qualty(df, {"borda": first})  # wrong
nbrank.tournament.smith_set(df)
nbrank.tournament.smith_sets(df)  # wrong
nbrank.charts.ranks(several)
nbrank.charts.rank(several)  # wrong
nbrank.dataset.load_superglue_submissions()  # wrong
