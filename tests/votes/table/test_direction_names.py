"""Which way the name of a task points: by a statement, as a metric, beside a unit, or in doubt."""

import pytest

from nbrank.votes.table.direction_names import direction_hint, is_gain_name, stated_direction

LOWER = """Logloss|LogLoss|log_loss|top1_err|Error Score|Unsolved|Timeout|Memout|CPU Time Score
Time, s|collision rate|wiki_ppl
Energy, J|RMSE_test|RMSE *|RMSE ▼|OWA|MSIS|mCE|FPR95|HD95|FVD|LPIPS|minADE|KL divergence
mem_gb|peak_memory_mb|total_deductions|AMI WER (%)|val_loss|Latency (ms)|latency_ms|sMAPE|ppl|NLL
minDCF|MetricX-24|RTF|MCD|EPE|KID|MPKI|PAR2|Abs Rel|Sq Rel|losses|wrong|n_incorrect
cost ($)|price [€]
bits per byte|edit distance|Training time [h]|FPR@95TPR|cost_usd|mean absolute error
Latency per token (ms)|ms/frame|seconds_per_case|IDSW|ID Sw.|PAR2 score
Memory Usage (GB fp32)|RMSElog|SILog|ATE (m)|RPE-t|optimality gap|chamfer|Failed API Calls
Ewarp|FCP|encode_ms_per_frame|cold_p50_ms|real_time_factor|us_per_op|rmse_k
Temps (s)|Pico de memória (MB)|Latenz (ms)
Noise (dB)|CO₂ (g)|FNMR VISA|equalized odds difference|Fehler (%)"""
DOUBTED = """energy|cost|price|time|duration|student_staff_ratio|real-time|\
100m (s)|swim [min]|training hours|Cost ($ per 1k calls)|attack success rate|\
Time Taken|pred_time_val|fit_time_marginal|FP|GFLOPs|1500m|X100m|run200m|price per night|\
Distance to beach (m)|absences|Turnovers|fouls per game|test-clean|dev-other|log10|3px|>3px|\
bad3|bad 2.0|Fl-all|D1-bg|cost/pt|median query ms|peak MB|IC50 (nM)|Business Risk|UNK%|\
OOV rate|Tool calls (median)|Adverse events|sae_rate|eval_s|σ|Escalations|gap (%)|DP gap|\
Service Damage AUC|peak_cpu|false_infeasible_pct|invalid JSON rate|bytes_per_frame"""
NEITHER = """TimeDial|time_series|tokens/s/user
time-sensitive QA|Error detection|cost of living QA|neg_log_loss
neg_mean_squared_error
uptime (h)|battery life (h)|MTTF (h)
tokens per second|tok/s|Throughput (img/s)|ADE20K|weight|accuracy|grammatical error correction
spider|der|ate|rpe|NPC1_RPE1|RPE1|MAD-X|PCK@0.5|clean|Req/s|δ < 1.25|d1|log10p
tokens/sec|calls handled|items_per_order|False friends|pIC50|risk-adjusted return|Adverse weather
compression ratio|miscellaneous|Misconceptions|mGLUE
Metric X|kid|model(s)|WinoGrande (S)|long jump (m)|losses?|right or wrong
error F1|STS|average_precision|top1|RTE|RankQA|toxicity_detection|Energy and power"""


def names(text):
    return [name for line in text.splitlines() for name in line.split("|")]


@pytest.mark.parametrize("name", names(LOWER))
def test_a_metric_and_a_quantity_beside_its_unit_are_lower(name):
    hint = direction_hint(name)
    assert (hint.direction, hint.sure) == ("lower", True)


@pytest.mark.parametrize("name", names(DOUBTED))
def test_a_word_with_other_meanings_only_raises_a_doubt(name):
    assert not direction_hint(name).sure


@pytest.mark.parametrize("name", names(NEITHER))
def test_what_only_holds_such_a_word_is_none(name):
    assert direction_hint(name) is None


@pytest.mark.parametrize("mark", ["↓", "(↓)", "⬇", "▼", r"$\downarrow$", "(lower is better)"])
def test_a_mark_decides_before_any_word(mark):
    assert stated_direction(f"t {mark}") == "lower"
    assert stated_direction(("g", f"accuracy {mark}")) == "lower"
    assert direction_hint("loss ↑").direction == "higher"
    assert stated_direction("loss") is None


@pytest.mark.parametrize(
    ("name", "direction"),
    [
        ("ASR (WER)", "lower"), ("ASV [EER]", "lower"), ("KS (Acc)", None), ("RMSD<2Å (%)", None),
        ("Type II error", "lower"), ("avg time per task (s)", "lower"), ("Hours", "lower"),
        ("error detect rate", None), ("$/M in", "lower"), ("Rank-1", None),
    ],
)  # fmt: skip
def test_notes_thresholds_and_means_are_understood(name, direction):
    hint = direction_hint(name)
    assert (hint and hint.direction) == direction


@pytest.mark.parametrize("name", ["Makespan", "Mismatch Rate", "mATE", "playing time (min)"])
def test_further_names_of_errors_and_times(name):
    hint = direction_hint(name)
    assert hint is not None
    assert (hint.direction, hint.sure) == ("lower", True)
    assert hint.why != "the file says so"


@pytest.mark.parametrize("name", ["compress µs", "Cost_Charts"])
def test_units_and_prices_at_an_end_of_a_name_raise_a_doubt(name):
    hint = direction_hint(name)
    assert hint is not None
    assert not hint.sure


def test_a_unit_in_brackets_decides_before_a_unit_within_a_name():
    assert direction_hint("0-100 km/h (s)").why == "lower is often better for times ('s')"
    assert direction_hint("tokens/s") is None


def test_a_rate_per_second_is_a_gain_and_others_are_not_known():
    assert is_gain_name("pages/s")
    assert not is_gain_name("turnover/day")


def test_an_attack_with_a_name_is_where_an_accuracy_was_measured():
    assert direction_hint("AutoAttack acc") is None
    assert not direction_hint("attack success rate").sure
