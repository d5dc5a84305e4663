"""The block of context: how a record is printed for a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inscape.algorithms.packing import tokens_of
from inscape.indexing import with_captions
from inscape.records import Hit, Note, Turn
from inscape.text.sentences import sentence_spans
from inscape.text.words import terms_of


def line_of(record: Turn | Note, turn: Turn) -> str:
    """`t12 2023-05-08 Ana: text [image: caption]`, without the line break.

    The date is the speaker's own; a turn that was said at no known time says so. Further lines of a text
    are indented, so that no text can pass for a record of its own; nor can a name, since its colons are not printed.
    """
    local = turn.local_time
    day = "undated" if local is None else f"{local:%Y-%m-%d}"
    if isinstance(record, Turn):
        who, said = record.speaker, with_captions(record.text, record.captions)
    else:
        who, said = record.subject, record.text
    return f"{record.id} {day} {who.replace(':', '·')}: " + "\n  ".join(said.splitlines())


def cut_line(record: Turn | Note, turn: Turn, terms: Sequence[str], *, budget: int) -> str:
    """The sentences of a long record around the one that holds most of `terms`, as many as fit, marked with … where
    something is left out; with the line break. Empty where not even one fits.
    """
    text = record.text
    spans = sentence_spans(text)
    wanted = set(terms)
    held = [len(wanted & set(terms_of(text[start:end]))) for start, end in spans]
    first = last = held.index(max(held, default=0)) if held else 0
    line = ""
    while spans:
        part = text[spans[first][0] : spans[last][1]]
        marked = f"{'… ' if first else ''}{part}{' …' if last + 1 < len(spans) else ''}"
        grown = line_of(replace(record, text=marked), turn) + "\n"
        if tokens_of(grown) > budget:
            break
        line = grown
        if last + 1 < len(spans):
            last += 1
        elif first:
            first -= 1
        else:
            break
    return line


def in_reading_order(hits: Sequence[Hit]) -> list[Hit]:
    """By time, then by number; what has no time by when it was added."""
    return sorted(hits, key=lambda hit: (hit.turn.said_at or hit.turn.added_at, int(hit.turn.id[1:])))


def block_of(hits: Sequence[Hit]) -> tuple[str, int]:
    """The lines of all hits in reading order, and what they cost in tokens."""
    context = "".join(f"{line_of(hit.record, hit.turn)}\n" for hit in in_reading_order(hits))
    return context, tokens_of(context)
