"""How rankings stand up to what happens to leaderboards: `nbrank.experiments`.

An experiment changes a leaderboard at random, ranks it again by each rule, and says how far the new
ranking agrees with the one that the rule gives without the change, or with a known truth. All rules
see the same tables; what is removed at 10 % is also removed at 20 %; and the same seed gives the
same tables, however many repetitions follow.
"""

from nbrank.experiments.runner import lead
from nbrank.experiments.printed_figures import count_statuses, reproduction
from nbrank.experiments.rule_behavior import (
    discriminative_power,
    dispersion,
    independence_of_irrelevant_alternatives,
)
from nbrank.experiments.changed_tables import (
    add_systems,
    corrupt_tasks,
    remove_scores,
    remove_tasks,
    rescale_task,
)

__all__ = [
    "add_systems",
    "corrupt_tasks",
    "count_statuses",
    "discriminative_power",
    "dispersion",
    "independence_of_irrelevant_alternatives",
    "lead",
    "remove_scores",
    "remove_tasks",
    "reproduction",
    "rescale_task",
]
