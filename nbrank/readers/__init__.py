"""Readers of further files and tables, and of leaderboards' hosts: `nbrank.readers`."""

from nbrank.readers.ballots import from_ballots
from nbrank.readers.hosts.arena_battles import arena
from nbrank.readers.hosts.every_eval_ever_files import every_eval_ever
from nbrank.readers.hosts.harness_samples import lm_eval_samples
from nbrank.readers.hosts.hosts import alpaca_eval, helm, lm_eval, mteb, swe_bench
from nbrank.readers.hosts.inspect_files import inspect_logs
from nbrank.readers.hosts.preflib_files import preflib
from nbrank.readers.large.long import from_long, from_parquet

__all__ = [
    "alpaca_eval", "arena", "every_eval_ever", "from_ballots", "from_long", "from_parquet",
    "helm", "inspect_logs", "lm_eval", "lm_eval_samples", "mteb", "preflib", "swe_bench",
]  # fmt: skip

# What other folders take, each from its module. Written by docs/scripts/write_doors.py.
# Duplicates, ErrorCollector, ScoresWithErrors, build_board, error_text, find_scores,
# format_options, known_warnings, load_frame, load_roles, read, read_csv, read_log, read_votes,
# select_rows
