"""The baselines on SST-5: what ships is what they answer, and without the extra they say so."""

import builtins

import pytest

from nbrank import datasets
from nbrank.experiments import sentiment_baselines


@pytest.fixture(scope="module")
def texts():
    return datasets.fetch_sst5()


def test_what_ships_is_what_the_baselines_answer(texts):
    for module in sentiment_baselines.REQUIRED:
        pytest.importorskip(module)
    shipped, again = datasets.load_sst5_baselines(), sentiment_baselines.rerun_sst5_baselines(texts)
    # Another version of scikit-learn or of a dictionary may answer a few sentences otherwise.
    assert (shipped == again).mean().min() > 0.99


@pytest.mark.parametrize("missing", sentiment_baselines.REQUIRED)
def test_without_the_extra_they_name_it(missing, monkeypatch):
    import_module = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name.partition(".")[0] == missing:
            raise ImportError(f"No module named {missing!r}", name=missing)
        return import_module(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(ImportError, match=r"install 'nbrank\[sentiment\]'"):
        sentiment_baselines.rerun_sst5_baselines()
