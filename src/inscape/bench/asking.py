"""Asking memories, and noting what came back: the same for every benchmark."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from inscape.algorithms.packing import tokens_of
from inscape.bench.building import Built, built_in
from inscape.bench.data import Conversation, Said
from inscape.bench.lines import Lines, Outcome
from inscape.bench.metric import is_found, printed_records
from inscape.bench.screen import bar
from inscape.memory import Memory
from inscape.recipes import Recipe
from inscape.records import Hit, Recall, Turn

TOP = 10
"""Hits of `recall_at_10`."""
WARM_UP = "What is this about?"
"""Asked once of every owner before the clock runs."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """An owner to ask, and what is needed to score the answers."""

    owner: str
    turn_ids: Mapping[str, str]
    turns: Mapping[str, Said]

    def found(self, gold: Sequence[str], recall: Recall) -> list[str]:
        """Those of the gold turns whose text stands in the context."""
        records = printed_records(recall.context)
        return [id for id in gold if is_found(_text(self.turns[id]), records, own=self.turn_ids.get(id))]


def ask_everything(
    conversations: Sequence[Conversation],
    lines: Lines,
    *,
    recipes: Sequence[Recipe],
    budgets: Sequence[int],
    folder: Path,
) -> None:
    """Build an owner for each conversation in `folder`, once for all recipes, and ask what has no line yet."""
    with bar("adding turns", total=sum(len(one.turns) for one in conversations)) as advance:
        built = built_in(folder, conversations, progress=advance)
    with ExitStack() as stack, bar("asking", total=sum(len(one.questions) for one in conversations)) as advance:
        memories = {recipe.name: stack.enter_context(Memory(folder, recipe=recipe)) for recipe in recipes}
        for conversation, owner in zip(conversations, built, strict=True):
            _ask_conversation(memories, conversation, owner, lines, budgets, advance)


def outcome_of(memory: Memory, question: str, asked: Asked, *, gold: Sequence[str], budgets: Sequence[int]) -> Outcome:
    """Ask once for each budget."""
    outcome: Outcome = {"found": {}, "tokens": {}, "ms": {}, "hits": []}
    for budget in budgets:
        began = time.perf_counter()
        recall = memory.recall(question, user_id=asked.owner, budget=budget, top_k=TOP)
        outcome["ms"][str(budget)] = round(1000 * (time.perf_counter() - began), 3)
        outcome["found"][str(budget)] = asked.found(gold, recall)
        outcome["tokens"][str(budget)] = max(recall.context_tokens, tokens_of(recall.context))
        outcome["hits"] = data_ids(recall.hits)
    return outcome


def data_ids(hits: Sequence[Hit]) -> list[str]:
    """The data's id of each hit; empty for a note, which finds nothing by itself."""
    return [(hit.record.message_id or "") if isinstance(hit.record, Turn) else "" for hit in hits]


def _ask_conversation(
    memories: Mapping[str, Memory],
    conversation: Conversation,
    built: Built,
    lines: Lines,
    budgets: Sequence[int],
    advance: Callable[[int], None],
) -> None:
    if conversation.id not in lines.builds:
        lines.add(
            {
                "configuration": lines.configuration,
                "built": conversation.id,
                "turns": len(built.turn_ids),
                "seconds": built.seconds,
            }
        )
    for memory in memories.values():
        memory.search(WARM_UP, user_id=built.owner)
    asked = Asked(owner=built.owner, turn_ids=built.turn_ids, turns=conversation.turns)
    for question in conversation.questions:
        if (question.conversation, question.number) not in lines.questions:
            gold = tuple(dict.fromkeys((*question.evidence, *question.corrected)))
            lines.add(
                {
                    "configuration": lines.configuration,
                    "conversation": question.conversation,
                    "question": question.number,
                    "category": question.category,
                    "gold": list(question.evidence),
                    "corrected": list(question.corrected),
                    "recipes": {
                        name: outcome_of(memory, question.text, asked, gold=gold, budgets=budgets)
                        for name, memory in memories.items()
                    },
                }
            )
        advance(1)


def _text(turn: Said) -> str:
    """A turn that is an image only is its caption."""
    return turn.text if turn.text.strip() else " ".join(turn.captions)
