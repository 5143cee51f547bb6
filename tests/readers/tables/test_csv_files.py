"""Numbers are read as they were written, whatever the version of pandas."""

import io

import numpy as np
import pandas as pd
from short_forms import read_frame

from nbrank.readers.tables.csv_files import read_csv


def written(numbers):
    rows = "".join(f"s{row},{number!r}\n" for row, number in enumerate(numbers.tolist()))
    return f"system,t\n{rows}".encode()


def test_every_number_is_the_nearest_float():
    numbers = np.random.default_rng(0).random(5000) * 100
    assert read_csv(io.BytesIO(written(numbers)))["t"].tolist() == numbers.tolist()


def test_so_is_every_score_of_a_users_file():
    numbers = np.random.default_rng(1).random(5000)
    assert read_frame(written(numbers))["t"].tolist() == numbers.tolist()


def test_options_are_those_of_pandas():
    frame = read_csv(io.BytesIO(b"name;t\nA; 1,5\n"), sep=";", decimal=",", index_col="name")
    pd.testing.assert_frame_equal(
        frame, pd.DataFrame({"t": [1.5]}, index=pd.Index(["A"], name="name"))
    )
