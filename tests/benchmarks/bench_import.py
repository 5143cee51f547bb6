"""What importing costs beyond pandas

Whoever ranks a DataFrame has loaded pandas anyway.
"""

CODE = """
import json, sys, time
start = time.perf_counter()
import pandas
between = time.perf_counter()
by_pandas = set(sys.modules)
import nbrank
end = time.perf_counter()
loaded = sorted(set(sys.modules) - by_pandas)
print(json.dumps({"pandas": between - start, "nbrank": end - between, "loaded": loaded}))
"""


def test_import_nbrank(benchmark, within, in_a_fresh_process):
    runs = []
    benchmark.pedantic(lambda: runs.append(in_a_fresh_process(CODE)), rounds=7, warmup_rounds=1)
    slow = {"altair", "anywidget", "dask", "ipywidgets", "numba", "pyarrow", "scipy", "tqdm"}
    assert not slow & {name for run in runs for name in run["loaded"]}
    pandas, ours = (min(run[name] for run in runs) for name in ("pandas", "nbrank"))
    within(f"import nbrank, beyond the {pandas:.2f} s of pandas", ours, 0.6, "s")
