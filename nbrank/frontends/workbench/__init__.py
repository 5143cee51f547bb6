"""The explorer: one page on which one moves something and sees, and reads, what follows."""

from nbrank.frontends.workbench.app import ExplorerApp
from nbrank.frontends.workbench.explorer import explore
from nbrank.frontends.workbench.workbench import Workbench

__all__ = ["ExplorerApp", "Workbench", "explore"]
