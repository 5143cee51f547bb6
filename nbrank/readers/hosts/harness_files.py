"""Detection of result files of lm-evaluation-harness, and the name of their model."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nbrank.votes.labeled_values import clean_label

#: Keys in the results of a task that are not metrics.
HARNESS_SIZE_KEYS = ("samples", "sample_len", "sample_count")


def is_harness_result(content: Mapping[str, Any]) -> bool:
    """Return whether a file holds the metrics of tasks."""
    results = content.get("results")
    return isinstance(results, dict) and all(
        isinstance(result, dict) for result in results.values()
    )


def harness_model_name(path: Path, content: Mapping[str, Any]) -> str:
    """Return the model's name from the file, its arguments or its folder."""
    config = content.get("config") or {}
    arguments = config.get("model_args") or ""
    if isinstance(arguments, dict):
        arguments = ",".join(f"{key}={value}" for key, value in arguments.items())
    user_value = re.search(r"(?:pretrained|model)=([^,]+)", str(arguments))
    name = content.get("model_name") or (user_value[1] if user_value else "")
    return str(clean_label(str(name or path.parent.name.replace("__", "/"))))
