"""`inscape demo`: a sample life is read, and seven questions are asked of it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from inscape.interfaces.cli.ask import NOT_IN_MEMORY
from inscape.interfaces.cli.sample import Asked, Sample, sample_life
from inscape.interfaces.cli.screen import Piece, panel, print_json, progress, say
from inscape.interfaces.cli.wording import counted, date_of, found_by, text_of

if TYPE_CHECKING:
    from inscape.items import Item
    from inscape.memory import Memory

_LINES = 3
"""Hits that are shown for a question."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """What memory returned for a question."""

    asked: Asked
    hits: tuple[Item, ...]
    context_tokens: int
    context_ids: tuple[str, ...]
    expected_ids: frozenset[str]
    """The lines that the sample's author named. Looked up after memory had answered, to mark them."""
    milliseconds: float

    @property
    def shows_expected(self) -> bool:
        return any(item["id"] in self.expected_ids for item in self.hits)

    @property
    def expected_in_context(self) -> int:
        return len(self.expected_ids.intersection(self.context_ids))


def demo(
    folder: Annotated[
        Path | None,
        typer.Option(
            "--dir", metavar="PATH", show_default="a temporary folder", help="Keep the sample life in this folder."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document, for programs.")] = False,
) -> None:
    """See what it does, in half a minute: four months of invented chats are read, seven questions asked.

    Needs no key and no network, and leaves nothing behind unless you name a folder.
    """
    sample = sample_life()
    with _memory(folder) as memory:
        started = perf_counter()
        _read(sample, memory)
        seconds = perf_counter() - started
        history = _history_tokens(memory, sample.owner)
        told: list[Told] = []
        if not as_json:
            _print_intro(sample, seconds=seconds, bundled=memory.settings.embedding == "minilm")
        for asked in sample.questions:
            told.append(_ask(asked, memory, sample.owner))
            if not as_json:
                _print_told(told[-1], history=history)
    if as_json:
        print_json(_as_json(sample, told, seconds=seconds, history=history))
        return
    _print_sum(told, history=history)
    _print_next(sample, folder)


@contextmanager
def _memory(folder: Path | None) -> Generator[Memory]:
    from tempfile import TemporaryDirectory

    from inscape.memory import Memory
    from inscape.settings import Settings

    if folder is not None:
        with Memory(folder.expanduser()) as memory:
            yield memory
        return
    with TemporaryDirectory(prefix="inscape-demo-") as apart, Memory(apart, settings=Settings()) as memory:
        yield memory


def _read(sample: Sample, memory: Memory) -> None:
    with progress("reading", unit="turns") as seen:
        done = 0
        for chat in sample.chats:
            memory.add(chat.messages, user_id=sample.owner, session_id=chat.session_id, agent_id=chat.agent_id)
            done += len(chat.messages)
            seen(done, sample.turns)


def _ask(asked: Asked, memory: Memory, owner: str) -> Told:
    from inscape.items import item_of_hit

    started = perf_counter()
    found = memory.recall(asked.question, user_id=owner, top_k=_LINES)
    milliseconds = 1000 * (perf_counter() - started)
    return Told(
        asked=asked,
        hits=tuple(item_of_hit(hit, owner) for hit in found.hits) if found.found else (),
        context_tokens=found.context_tokens,
        context_ids=found.context_ids,
        expected_ids=_expected(asked, memory, owner),
        milliseconds=milliseconds,
    )


def _expected(asked: Asked, memory: Memory, owner: str) -> frozenset[str]:
    return frozenset(
        item["id"]
        for session in {session for session, _ in asked.evidence}
        for item in memory.get_all(user_id=owner, session_id=session)["results"]
        if (session, item["memory"]) in asked.evidence
    )


def _history_tokens(memory: Memory, owner: str) -> int:
    """What it would cost to hand over everything, printed as the context prints it."""
    from inscape.algorithms.packing import tokens_of

    lines = (
        f"{item['id']} {date_of(item['created_at'])[:10]} {item['speaker']}: {text_of(item)}\n"
        for item in memory.get_all(user_id=owner)["results"]
    )
    return tokens_of("".join(lines))


def _print_intro(sample: Sample, *, seconds: float, bundled: bool) -> None:
    read = f"{counted(sample.turns, 'turn')} of {counted(len(sample.chats), 'chat')}, read in {seconds:.1f} seconds"
    how = "by the model that is bundled: no key, no network" if bundled else "by the model that inscape.toml names"
    panel(
        sample.title,
        [
            [sample.about],
            [],
            [(read, "bold"), f" {how}."],
            ["Now seven questions. Under each stand the lines that memory returns, at most three, best first."],
        ],
    )


def _print_told(told: Told, *, history: int) -> None:
    lines: list[list[Piece]] = []
    for item in told.hits:
        expected = item["id"] in told.expected_ids
        lines.append(
            [
                ("✓ " if expected else "  ", "bold green"),
                (date_of(item["created_at"]), "cyan"),
                "  ",
                (f"{item['speaker']}: ", "bold"),
                (" ".join(text_of(item).split()), "bold" if expected else ""),
            ]
        )
        lines.append(
            [(f"  score {item.get('score', 0.0):.2f}, by {found_by(item.get('found_by', {}), most=3)}", "dim")]
        )
    if not told.hits and told.asked.evidence:
        lines.append([("It was said, and memory did not find it.", "yellow")])
    elif not told.hits:
        lines.append([(NOT_IN_MEMORY, "bold yellow"), ": nothing that was said is close enough to the question."])
    if told.hits:
        lines.append([(_cost(told, history), "dim")])
    panel(told.asked.question, lines)


def _cost(told: Told, history: int) -> str:
    """What stands in the context, which is longer than the lines that are shown."""
    block = f"{counted(told.context_tokens, 'token')} of {history:,}, {counted(len(told.context_ids), 'line')}"
    expected = f", {told.expected_in_context} of {len(told.expected_ids)} marked ✓" if told.expected_ids else ""
    return f"context for the model: {block}{expected}; {told.milliseconds:.0f} ms"


def _print_sum(told: list[Told], *, history: int) -> None:
    answerable = [one for one in told if one.asked.evidence]
    found = sum(one.shows_expected for one in answerable)
    declined = sum(not one.hits for one in told if not one.asked.evidence)
    tokens = max(one.context_tokens for one in told)
    within = sum(one.expected_in_context > 0 for one in answerable)
    say("✓ marks the lines that hold the answer, as the sample's author named them; compared afterwards.")
    say(
        f"Of {len(answerable)} questions that can be answered, {found} show such a line here and {within} hold one "
        f"in the context; of {len(told) - len(answerable)} that cannot, {declined} declined."
    )
    say(f"At most {tokens:,} tokens would go to a model, of {history:,} that everything would cost (4 bytes a token).")
    say()


def _print_next(sample: Sample, folder: Path | None) -> None:
    say(("Your turn:", "bold"))
    if folder is not None:
        question = sample.questions[0].question
        say(f'inscape search "{question}" --user {sample.owner} --dir {folder}', indent=2)
    say('inscape add "I moved to Lisbon in March." --user me', indent=2)
    say('inscape search "Where do I live?" --user me', indent=2)
    say("inscape import chat-export.json --user me", indent=2)
    say()
    say(("Or in Python:", "bold"))
    say("from inscape import Memory", indent=2)
    say('Memory().add("I moved to Lisbon in March.", user_id="me")', indent=2)
    say('print(Memory().recall("Where do I live?", user_id="me").context)', indent=2)


def _as_json(sample: Sample, told: list[Told], *, seconds: float, history: int) -> dict[str, object]:
    return {
        "title": sample.title,
        "turns": sample.turns,
        "sessions": len(sample.chats),
        "seconds": round(seconds, 3),
        "history_tokens": history,
        "questions": [
            {
                "question": one.asked.question,
                "hits": one.hits,
                "context_tokens": one.context_tokens,
                "milliseconds": round(one.milliseconds, 1),
                "context_ids": one.context_ids,
                "expected_ids": sorted(one.expected_ids),
                "expected_answer": one.asked.answer,
                "shows_expected_line": one.shows_expected,
                "declined": not one.hits,
            }
            for one in told
        ],
    }
