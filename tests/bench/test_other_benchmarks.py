from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from inscape.bench import speed
from inscape.bench.chinese import read_chinese
from inscape.bench.data import read_locomo
from inscape.bench.enlarge import enlarged
from inscape.bench.floor import Reply, askings, auc, figures
from inscape.bench.stages import merged
from tests.bench.conftest import Runs


def test_chinese_questions_name_turns_that_are_there() -> None:
    conversation = read_chinese()
    assert len(conversation.turns) == 300
    assert len(conversation.questions) == 100
    assert all(id in conversation.turns for question in conversation.questions for id in question.evidence)


def test_chinese_is_reported(runs: Runs) -> None:
    report = runs("chinese", "--limit", "3")
    assert set(report["overall"]["evidence_recall"]) == {"500", "1000"}
    assert report["overall"]["questions"] == 3
    assert report["budget_exceeded"] == 0


def test_stages_compares_with_ranking_everything(runs: Runs, data: Path) -> None:
    report = runs("stages", "--data", data)
    assert report["baselines"]["everything"]["paired"]["1000"]["difference"] == 0.0
    assert report["overall"]["questions"] == 6
    assert report["cost"]["turns"] == 8


def test_merged_conversations_keep_their_evidence(data: Path) -> None:
    conversation = merged(read_locomo(data))
    turns = conversation.turns
    assert len(turns) == 8
    assert all(id in turns for question in conversation.questions for id in question.evidence)
    assert {question.conversation for question in conversation.questions} == {"conv-1", "conv-2"}


def test_floor_is_reported_by_kind_of_question(runs: Runs, data: Path) -> None:
    report = runs("floor", "--data", data, "--limit", "2")
    kinds = report["kinds"]
    assert set(kinds) == {"answerable", "foreign", "nonsense", "never_mentioned", "never_mentioned_zh"}
    assert kinds["answerable"]["questions"] == 4
    assert "auc" not in kinds["answerable"]
    assert 0 <= kinds["nonsense"]["auc"] <= 1
    assert report["evidence"]["without_floor"] >= report["evidence"]["with_floor"]


def test_an_owner_is_asked_its_own_questions_and_the_next_ones(data: Path) -> None:
    kinds = Counter(asking.kind for asking in askings(read_locomo(data), 0))
    assert (kinds["answerable"], kinds["adversarial"], kinds["foreign"], kinds["nonsense"]) == (4, 1, 2, 40)


def test_scores_are_compared_by_how_often_the_right_one_is_higher() -> None:
    assert auc(np.array([0.9, 0.8]), np.array([0.1, 0.2])) == 1.0
    assert auc(np.array([0.5]), np.array([0.5])) == 0.5
    assert auc(np.array([0.1]), np.array([0.2, 0.05])) == 0.5


def test_figures_of_the_floor_count_what_it_hides() -> None:
    hits = ((0.95, True), (0.15, False))
    shown = Reply(kind="answerable", group=0, best=0.9, shown=12, doubted=False, hits=hits, shares=(1.0, 1.0))
    hidden = Reply(kind="answerable", group=1, best=0.01, shown=0, doubted=True, hits=(), shares=(0.0, 1.0))
    report = figures([shown, hidden])
    assert report["evidence"] == {
        "budget": 1000, "with_floor": 0.5, "without_floor": 1.0, "lost": 0.5, "lower": 0.0, "upper": 1.0,
    }  # fmt: skip
    assert report["kinds"]["answerable"]["returns_nothing"] == 0.5
    assert report["kinds"]["answerable"]["hits_mean"] == 5.0
    assert [(row["from"], row["gold"]) for row in report["reliability"] if row["hits"]] == [(0.1, 0.0), (0.9, 1.0)]


def test_enlarged_owners_have_the_size_asked_for_and_few_equal_turns(data: Path) -> None:
    conversations = read_locomo(data)
    sessions = list(enlarged(conversations, 101))
    turns = [turn for session in sessions for turn in session.turns]
    assert len(turns) == len({turn.id for turn in turns}) == 101
    assert len({session.id for session in sessions}) == len(sessions)
    assert len({turn.text for turn in turns}) > 40
    assert sessions == list(enlarged(conversations, 101))


def test_the_first_copy_is_the_data_and_later_ones_are_later(data: Path) -> None:
    first, *_, last = enlarged(read_locomo(data), 16)
    assert [turn.text for turn in first.turns][1:] == ["Thanks!", "My sister Ruth moved to Porto to open a bakery."]
    assert (first.timestamp, last.timestamp) == ("2023-05-08T13:56:00+00:00", "2024-06-29T19:00:00+00:00")
    assert {turn.speaker for turn in last.turns}.isdisjoint({"Lea", "Max"})


def test_speed_is_reported_and_owners_are_used_again(
    runs: Runs, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(speed, "STARTS", 1)
    words = ("speed", "--data", data, "--turns", "12", "--queries", "3", "--reuse", tmp_path / "kept")
    first = runs(*words)["sizes"]["12"]
    assert first["turns"] == 12
    assert {"median", "p90", "p99"} == set(first["search_ms"])
    assert first["cold_start_seconds"] > first["cold_open_and_search_seconds"] > 0
    assert first["file_bytes_a_turn"] > 0
    assert speed.built(tmp_path / "kept" / "turns-12", [], 12) == first["import_seconds"]
