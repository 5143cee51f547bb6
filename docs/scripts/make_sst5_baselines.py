"""Run the baselines whose answers `nbrank.datasets.load_sst5_baselines` ships.

Run `python docs/scripts/make_sst5_baselines.py` with the extra `sentiment` installed. It downloads
SST-5 (or finds it in NBRANK_DATA_DIR) and writes `nbrank/datasets/tables/sst5_baselines.csv`.
"""

from pathlib import Path

from nbrank.experiments.sentiment_baselines import rerun_sst5_baselines

TABLE = Path(__file__).parents[2] / "nbrank" / "datasets" / "tables" / "sst5_baselines.csv"

if __name__ == "__main__":
    answers = rerun_sst5_baselines()
    answers.to_csv(TABLE, lineterminator="\n")
    print(answers.drop(columns="label").eq(answers["label"], axis=0).mean().round(4))
