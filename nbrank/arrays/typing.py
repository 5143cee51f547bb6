"""The kinds of arrays that everything here is computed with."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

#: Scores as they were given, in single or double precision.
Array = NDArray[np.floating]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
#: Numbers by which the entries of other arrays are found.
Positions = NDArray[np.intp]
#: From cells as they are given, in the columns of the slice, to what is averaged.
CellTransform = Callable[[Array, slice], Array]
