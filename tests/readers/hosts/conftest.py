"""Files of logs, written for a test."""

import json

import pytest


@pytest.fixture
def write(tmp_path):
    def write_files(files):
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = content if isinstance(content, list) else [content]
            path.write_text("\n".join(map(json.dumps, lines)))
        return tmp_path

    return write_files
