"""The `hybrid` strategy: words and vectors over turns and notes, ranked, cut at a floor, packed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from inscape.algorithms.packing import packed, tokens_of
from inscape.algorithms.ranking import Candidates, Question, Ranking, gate_for
from inscape.errors import ModelUnreachable, UnknownId
from inscape.ports import EmbeddingModel, Store
from inscape.recall.lines import block_of, cut_line, in_reading_order, line_of
from inscape.records import Filter, Hit, Note, Recall, Step, Turn
from inscape.text.cues import is_about_asker, wanted_cues
from inscape.text.dates import dates_in
from inscape.text.words import fold, terms_of

_WORD = re.compile(r"\w+")
_FEW = 3
"""Hits at the most where even the best is weak. The context is packed all the same: a question that takes an
inference often has no close match (docs/log.md)."""
_PAGE = 64
"""Records fetched at once on the way down the ranking."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Hybrid:
    """Recall with one ranking. `floor`, `gate` and `weak`: see `recipes.Recipe`."""

    model: EmbeddingModel
    rank: Callable[[Question, Candidates], Ranking]
    candidates: int
    floor: float
    gate: float
    weak: float

    def __call__(self, question: str, store: Store, *, within: Filter, top_k: int, budget: int | None) -> Recall:
        """The best `top_k` hits and, with a budget, the block of context.

        Finds by words alone, and says so, when the embedding model gives no answer.
        """
        asked, notice = self._read(question)
        steps = [notice] if notice else []
        candidates = store.candidates(terms=asked.terms, vector=asked.vector, limit=self.candidates, within=within)
        ranking = self.rank(asked, candidates)
        order = self._worth_showing(ranking)
        steps.append(
            Step(
                did="hybrid",
                result=f"{np.count_nonzero(candidates.eligible)} of {candidates.total} records looked at, "
                f"{len(order)} above the floor",
            )
        )
        found = _Descent(store, candidates, ranking, order)
        is_weak = bool(order) and bool(ranking.score[order[0]] < gate_for(ranking.order.size, self.weak))
        hits = found.first(min(top_k, _FEW) if is_weak else top_k)
        context, tokens, ids = "", 0, ()
        if budget is not None:
            chosen = in_reading_order(
                list(packed(((hit, line_of(hit.record, hit.turn)) for hit in found), budget=budget))
            )
            context, tokens = block_of(chosen)
            ids = tuple(hit.id for hit in chosen)
            if hits and not chosen:
                context, tokens, cut = _cut_to_fit(hits[0], asked.terms, budget=budget)
                steps.append(cut)
        return Recall(
            question=question,
            hits=tuple(hits),
            context=context,
            context_tokens=tokens,
            context_ids=ids,
            steps=tuple(steps),
            gaps=_gaps(ranking, order, is_weak=is_weak),
            is_weak=is_weak,
        )

    def _read(self, question: str) -> tuple[Question, Step | None]:
        terms = tuple(dict.fromkeys(terms_of(question)))
        notice = None
        try:
            embedding = self.model.embed(question)
            vector, tokens, words = embedding.sentence, embedding.tokens, embedding.token_terms
        except ModelUnreachable as error:
            notice = Step(did="embed the question", result=f"failed, so only words were compared: {error}")
            vector = np.zeros(self.model.dimension, dtype=np.float32)
            tokens, words = np.zeros((0, self.model.token_dimension), dtype=np.int8), ()
        return Question(
            words=frozenset(_WORD.findall(fold(question))),
            terms=terms,
            vector=vector,
            tokens=tokens,
            token_terms=words,
            about_asker=is_about_asker(question),
            wants=wanted_cues(question),
            dates=tuple(dates_in(question)),
        ), notice

    def _worth_showing(self, ranking: Ranking) -> list[int]:
        scores = ranking.score[ranking.order]
        if not scores.size or scores.max() < gate_for(scores.size, self.gate):
            return []
        return ranking.order[scores >= self.floor].tolist()


def _gaps(ranking: Ranking, order: list[int], *, is_weak: bool) -> tuple[str, ...]:
    if not ranking.order.size:
        return ("no memory passes the filters",)
    if not order:
        return ("nothing in memory is close enough to the question",)
    return ("what was found is only loosely related to the question",) if is_weak else ()


def _cut_to_fit(hit: Hit, terms: tuple[str, ...], *, budget: int) -> tuple[str, int, Step]:
    """The part of the best hit that holds most of the question's terms, where not one whole record fits."""
    needed = tokens_of(line_of(hit.record, hit.turn))
    line = cut_line(hit.record, hit.turn, terms, budget=budget)
    result = f"{hit.id} needs {needed} tokens, more than the budget of {budget}; "
    if not line:
        return "", 0, Step(did="cut", result=result + "not even a part of it fits")
    return line, tokens_of(line), Step(did="cut", result=result + "the part that is closest is shown, marked with …")


class _Descent:
    """Hits going down a ranking, fetched page by page and at most once."""

    def __init__(self, store: Store, candidates: Candidates, ranking: Ranking, order: list[int]) -> None:
        self._store = store
        self._candidates = candidates
        self._ranking = ranking
        self._order = order
        self._hits: list[Hit] = []

    def __iter__(self) -> Iterator[Hit]:
        at = 0
        while at < len(self._order):
            if at == len(self._hits):
                self._fetch(_PAGE)
            else:
                yield self._hits[at]
                at += 1

    def first(self, count: int) -> list[Hit]:
        """The best `count`."""
        if len(self._hits) < count:
            self._fetch(count - len(self._hits))
        return self._hits[:count]

    def _records(self, rows: list[int]) -> tuple[list[Turn | Note], dict[str, Turn]]:
        records = self._store.records([self._candidates.id_of(row) for row in rows])
        first = sorted({record.turn_ids[0] for record in records if isinstance(record, Note)})
        return records, {turn.id: turn for turn in self._store.records(first) if isinstance(turn, Turn)}

    def _is_erased(self, row: int) -> bool:
        """Whether a row is gone since it was ranked."""
        try:
            self._records([row])
        except UnknownId:
            return True
        return False

    def _fetch(self, count: int) -> None:
        rows = self._order[len(self._hits) : len(self._hits) + count]
        try:
            records, first_turns = self._records(rows)
        except UnknownId:
            gone = {row for row in rows if self._is_erased(row)}
            self._order = [row for row in self._order if row not in gone]
            self._fetch(count)
            return
        for row, record in zip(rows, records, strict=True):
            self._hits.append(
                Hit(
                    record=record,
                    score=round(float(self._ranking.score[row]), 4),
                    found_by={
                        name: round(float(values[row]), 4)
                        for name, values in self._ranking.terms.items()
                        if values[row]
                    },
                    turn=record if isinstance(record, Turn) else first_turns[record.turn_ids[0]],
                )
            )
