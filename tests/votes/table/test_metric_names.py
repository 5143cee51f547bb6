"""The lexicon of metrics: a fair sample of fields, and what composed names say."""

import pytest

import nbrank
from nbrank.votes.table.direction_names import direction_hint, find_terms, is_gain_name, parse_name
from nbrank.votes.table.word_lists import read_names

LOWER = """MedAE|MSLE|Huber loss|Mean Pinball Loss|RMSSE|weighted quantile loss|CRPS|Brier score|
Log Loss|calibration error|KL divergence|Wasserstein distance|MMD|perplexity|
bits per byte|word error rate|cpWER|DER|EER (%)|minDCF|MCD|false alarm rate|FPR95|
fall_out|FID-50k|LPIPS (VGG)|NIQE|Chamfer distance|HD95|mpjpe|Abs Rel|minFDE_6|IDSW|
RMSD|misassemblies|Mismatches per 100 kbp|davies_bouldin|mean rank|
demographic parity difference|latency p50|TTFT (ms)|total blocking time|cache misses|
packet loss|PAR10|cumulative regret|optimality gap|makespan|timeouts|crash rate|
collision_rate|constraint violations|hallucination rate|goals conceded|mortality rate|
ranking loss|cost ($)|energy (kJ)|peak_memory_gb|price, EUR|val/loss|train_rmse|
macro-averaged MAE|zero-shot WER"""
HIGHER = """balanced accuracy|macro F1|Precision@10|recall_at_5|ROC AUC|AUPRC|MCC|Cohen kappa|
Jaccard|Dice score|PPV|specificity|exact_match|Top-5|Top-1 accuracy|R2|adjusted R2|
Spearman rho|Kendall tau|C-index|NSE|KGE|explained variance|BLEU-4|ROUGE-L|chrF++|
METEOR|COMET|BERTScore|CIDEr|nDCG@10|MRR|Hits@10|hit ratio|MAP|mAP50|AP75|mIoU|PQ|SSIM|
PSNR (dB)|MOTA|IDF1|HOTA|PCK@0.2|CLIP score|MOS|PESQ|STOI|SI-SDR|UTMOS|
silhouette score|adjusted Rand index|NMI|v_measure|episode return|success rate|solved|
win rate|Elo|tokens/s|req/s|QPS|throughput (MB/s)|images per second|speedup|N50|NGA50|
TM-score|genome fraction (%)|Sharpe ratio|Calmar ratio|neg_log_loss|inverse RMSE|
semantic similarity|inter-annotator agreement|faithfulness|category coverage|
image quality|hypervolume"""
DOUBTED = """FP|L2 distance|bias|max drawdown|attack success rate|refusal rate|Price in|fees|
contigs|volatility|GFLOPs|path length|conflicts|adverse event rate|disparity|
invalid JSON rate|accuracy drop|time on task|p99|jitter|yellow cards|ERA|std dev|
response length"""
NEITHER = """error detection|grammatical error correction|cost of living QA|history|law|drop|
reading comprehension|hazard recognition|energy reduction (%)|battery life (h)"""


def names(text):
    return [name for line in text.splitlines() for name in line.split("|") if name]


def reading_beside_benchmarks(name):
    text = f'model,logic,history,"{name}"\n'
    text += "A,71.3,55.1,.4132\nB,68.4,58.7,.5277\nC,75.2,51.6,.3718\nD,62.6,49.9,.6391\n"
    return nbrank.read(text.encode()).reading.set_index("column").loc[name]


@pytest.mark.parametrize("name", names(LOWER))
def test_lower_is_better_on_errors_losses_and_times_of_any_field(name):
    hint = direction_hint(name)
    assert (hint.direction, hint.sure) == ("lower", True)
    assert not is_gain_name(name)


@pytest.mark.parametrize("name", names(HIGHER))
def test_higher_is_better_on_metrics_of_any_field(name):
    assert direction_hint(name) is None
    assert is_gain_name(name)


@pytest.mark.parametrize("name", names(DOUBTED))
def test_names_with_two_meanings_are_doubted(name):
    assert not direction_hint(name).sure
    assert not is_gain_name(name)


@pytest.mark.parametrize("name", names(NEITHER))
def test_tasks_that_hold_such_a_word_are_neither(name):
    assert direction_hint(name) is None
    assert not is_gain_name(name)


def test_a_table_takes_no_gain_for_an_error_and_no_error_for_a_gain():
    turned = [name for name in names(HIGHER)[::6]
              if reading_beside_benchmarks(name)["direction"] == "lower"]  # fmt: skip
    kept = [name for name in names(LOWER)[::6]
            if reading_beside_benchmarks(name)["direction"] == "higher"]  # fmt: skip
    assert (turned, kept) == ([], [])


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("error F1", "F1"), ("F1 error", "error"), ("error on F1 set", "error"),
        ("latency at 100 qps", "latency"), ("latency 100 qps", "latency"), ("loss ratio", "loss"),
        ("valLogLoss", "Loss"), ("maths", ""), ("errors per page", "errors"),
    ],
)  # fmt: skip
def test_the_last_metric_decides_before_words_of_where_it_was_measured(name, head):
    assert parse_name(find_terms(name)).head.text == head


def test_capitals_count_where_the_lexicon_has_them():
    kinds = {name: find_terms(name)[0].kinds for name in ("DER", "der", "wer", "WER", "FPs", "fps")}
    assert [*map(sorted, kinds.values())] == [["lower"], [], ["lower"], ["lower"], ["doubt"],
                                              ["higher"]]  # fmt: skip


def test_no_name_points_both_ways():
    both = {"lower", "higher"}
    assert not [low for low, forms in read_names("metric_names.txt").items()
                if any(both <= kinds for kinds in forms.values())]  # fmt: skip
