"""Front ends: report, workbench and command line."""

from typing import TYPE_CHECKING

# What other folders take, each from its module. Written by docs/scripts/write_doors.py.
# fmt: off
if TYPE_CHECKING:
    from nbrank.frontends.command_line import main

__all__ = [
    "main",
]
