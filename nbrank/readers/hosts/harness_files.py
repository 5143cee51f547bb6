"""Files of lm-evaluation-harness: which those are, and whose."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nbrank.votes.label_cleaning import clean_label

#: What stands beside the figures of a task, and is none.
HARNESS_SIZE_KEYS = ("samples", "sample_len", "sample_count")


def is_harness_result(content: Mapping[str, Any]) -> bool:
    """Return whether a file holds figures of tasks."""
    results = content.get("results")
    return isinstance(results, dict) and all(
        isinstance(result, dict) for result in results.values()
    )


def harness_model_name(path: Path, content: Mapping[str, Any]) -> str:
    """The model's name: the file's, or that of its arguments, or of its folder."""
    config = content.get("config") or {}
    arguments = config.get("model_args") or ""
    if isinstance(arguments, dict):
        arguments = ",".join(f"{key}={value}" for key, value in arguments.items())
    user_value = re.search(r"(?:pretrained|model)=([^,]+)", str(arguments))
    name = content.get("model_name") or (user_value[1] if user_value else "")
    return str(clean_label(str(name or path.parent.name.replace("__", "/"))))
