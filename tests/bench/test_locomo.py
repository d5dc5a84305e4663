from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from inscape.bench.locomo import Plan
from inscape.errors import InvalidInput, MissingExtra
from inscape.recipes import DENSE, INSCAPE
from tests.bench.conftest import Runs
from tests.bench.conversations import write_corrections

BASELINES = {"dense", "bm25", "rrf", "bimem-formula", "six-terms"}
CATEGORIES = {"multi_hop", "temporal", "open_domain", "single_hop", "adversarial"}


def test_a_report_has_every_figure(runs: Runs, data: Path) -> None:
    report = runs("locomo", "--data", data, "--budget", "60,500")
    assert report["overall"]["questions"] == 6
    assert set(report["overall"]["evidence_recall"]) == {"60", "500"} == set(report["overall"]["evidence_all"])
    assert report["overall"]["evidence_recall"]["500"] == 1.0
    assert 0 < report["overall"]["evidence_recall"]["60"] < 1
    assert report["overall"]["recall_at_10"] == report["overall"]["all_at_10"] == 1.0
    assert set(report["overall"]["ci95"]["evidence_recall"]) == {"60", "500"}
    assert report["overall"]["ci95"]["recall_at_10"] == [1.0, 1.0]
    assert set(report["by_category"]) == CATEGORIES
    assert set(report["baselines"]) == BASELINES
    assert set(report["baselines"]["dense"]["paired"]) == {"60", "500", "recall_at_10"}
    assert set(report["baselines"]["dense"]["paired"]["60"]) == {"difference", "lower", "upper"}
    assert report["budget_exceeded"] == 0
    assert report["cost"]["turns"] == 8
    assert all(report["cost"]["context_tokens_mean"][size] <= int(size) for size in ("60", "500"))
    assert report["configuration"]["recipe_hashes"]["inscape"] == INSCAPE.hash
    assert "corrected" not in report


def test_adversarial_questions_and_questions_without_evidence_are_not_in_overall(runs: Runs, data: Path) -> None:
    report = runs("locomo", "--data", data, "--no-baselines")
    counts = {name: block["questions"] for name, block in report["by_category"].items()}
    assert counts == {"multi_hop": 1, "temporal": 1, "open_domain": 0, "single_hop": 4, "adversarial": 1}
    assert report["overall"]["questions"] == 6
    assert report["baselines"] == {}


def test_corrected_evidence_is_reported_beside_the_published(runs: Runs, data: Path, tmp_path: Path) -> None:
    corrections = write_corrections(tmp_path)
    report = runs("locomo", "--data", data, "--no-baselines", "--corrections", corrections, "--budget", "25,500")
    assert report["corrected"]["overall"]["questions"] == 6
    assert report["overall"]["evidence_recall"]["25"] > report["corrected"]["overall"]["evidence_recall"]["25"]


def test_a_run_that_stopped_goes_on_and_gives_the_same_figures(runs: Runs, data: Path, tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    words = ("locomo", "--data", data, "--no-baselines", "--lines", lines, "--workdir", tmp_path / "work")
    whole = runs(*words)
    kept = lines.read_text().splitlines(keepends=True)
    assert sum('"question"' in line for line in kept) == 8
    lines.write_text("".join(kept[:3]))
    again = runs(*words)
    assert lines.read_text().startswith("".join(kept[:3]))
    assert (again["overall"], again["by_category"]) == (whole["overall"], whole["by_category"])


def test_a_finished_run_is_reported_from_its_lines_alone(runs: Runs, data: Path, tmp_path: Path) -> None:
    words = ("locomo", "--data", data, "--no-baselines", "--lines", tmp_path / "lines.jsonl")
    assert runs(*words) == runs(*words)


def test_lines_of_another_budget_are_refused(runs: Runs, data: Path, tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    runs("locomo", "--data", data, "--no-baselines", "--limit", "1", "--lines", lines)
    with pytest.raises(InvalidInput, match="Choose another file"):
        runs("locomo", "--data", data, "--no-baselines", "--limit", "1", "--lines", lines, "--budget", "7")


def test_a_configuration_follows_recipe_and_data(data: Path) -> None:
    plan = Plan(data=data, budgets=(500,), recipes=(INSCAPE,))
    other = Plan(data=data, budgets=(500,), recipes=(DENSE,))
    before = plan.configuration()
    assert before == plan.configuration() != other.configuration()
    data.write_text(data.read_text() + " ")
    assert plan.configuration() != before


def test_no_gold_label_is_in_what_memory_is_given(data: Path) -> None:
    from inscape.bench.building import messages_of
    from inscape.bench.data import read_locomo

    given = json.dumps([messages_of(session) for one in read_locomo(data) for session in one.sessions])
    assert "not looked at" not in given
    assert set(json.loads(given)[0][0]) == {"role", "name", "content", "captions", "id"}


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_a_chart_is_drawn(runs: Runs, data: Path, tmp_path: Path, kind: str) -> None:
    pytest.importorskip("matplotlib")
    chart = tmp_path / f"chart.{kind}"
    runs("locomo", "--data", data, "--limit", "2", "--chart", chart)
    assert chart.read_bytes().startswith(b"\x89PNG" if kind == "png" else b"<?xml")


def test_a_chart_without_matplotlib_names_the_extra(
    runs: Runs, data: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"pip install 'inscape\[bench\]'"):
        runs("locomo", "--data", data, "--chart", tmp_path / "chart.png")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--protocol", "paper"], "measured blind only"),
        (["--metrics", "f1"], "only evidence is measured"),
        (["--budget", "many"], "whole numbers above 0"),
        (["--budget", "0"], "whole numbers above 0"),
        (["--recipe", "secret"], "The recipes are: inscape"),
        (["--chart", "chart.pdf"], "must end in .png or .svg"),
    ],
)
def test_wrong_options_say_what_to_do(runs: Runs, data: Path, words: list[str], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        runs("locomo", "--data", data, *words)


def test_the_table_has_a_row_for_each_recipe(runs: Runs, data: Path) -> None:
    printed = runs("locomo", "--data", data, "--limit", "2")["printed"]
    assert all(any(line.startswith(name) for line in printed.splitlines()) for name in ("inscape", *BASELINES))
