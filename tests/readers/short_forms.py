"""Tables read into frames, their columns named by the short forms of the roles."""

from nbrank.readers.tables.table_reader import load_frame, read_frames

ROLES = {"systems": "system", "tasks": "task", "drop": "description", "metadata": "description",
         "stderr": "error"}  # fmt: skip


def read_frame(source, *, errors=False, transpose=None, duplicates="refuse", **named):
    """The scores, and with `errors` their standard errors: score="x" says roles={"x": "score"}."""
    said = {}
    for flag, columns in named.items():
        listed = columns if isinstance(columns, list) else [columns]
        if flag == "tasks" and not transpose:
            said["*"] = "description"
        if flag in ("task", "tasks") and len(listed) > 1 and (flag == "task" or transpose):
            said |= {listed[0]: "group"} | dict.fromkeys(listed[1:], "task")
        else:
            said |= dict.fromkeys(listed, ROLES.get(flag, flag))
    frames = read_frames(load_frame(source), said, transpose=transpose, duplicates=duplicates)
    return frames if errors else frames[0]
