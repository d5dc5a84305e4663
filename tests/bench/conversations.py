"""A tiny file in LoCoMo's format, made up for these tests."""

from __future__ import annotations

import json
from pathlib import Path


def turn(id: str, speaker: str, text: str, caption: str | None = None) -> dict[str, object]:
    said: dict[str, object] = {"dia_id": id, "speaker": speaker, "text": text}
    return said | ({"blip_caption": caption} if caption else {})


def question(text: str, category: int, *evidence: str) -> dict[str, object]:
    return {"question": text, "answer": "not looked at", "category": category, "evidence": list(evidence)}


HIKE: dict[str, object] = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ines",
        "speaker_b": "Tom",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            turn("D1:1", "Ines", "Hello Tom! I adopted a grey cat called Pepper yesterday.\n\nShe sleeps a lot."),
            turn("D1:2", "Tom", "Thanks!"),
            turn("D1:3", "Tom", "My sister Ruth moved to Porto to open a bakery.", "a photo of a bakery"),
        ],
        "session_2_date_time": "9:10 am on 2 June, 2023",
        "session_2": [
            turn("D2:1", "Ines", "I climbed mount Velino last week, it was a steep hike."),
            turn("D2:2", "Tom", "Impressive. I stayed at home and repaired my old bicycle."),
        ],
        "session_3_date_time": "9:10 am on 3 June, 2023",
    },
    "qa": [
        question("What is the cat of Ines called?", 4, "D1:01"),
        question("Where did Ruth move?", 4, "D1:3"),
        question("What did they do in spring?", 1, "D2:1; D1:1", "D:2:2", "D"),
        question("When did Ines climb mount Velino?", 2, "D2:1"),
        question("Would Tom like to repair clocks?", 3, "D9:9"),
        question("What dog did Ines adopt?", 5, "D1:1"),
    ],
}
BOAT: dict[str, object] = {
    "sample_id": "conv-2",
    "conversation": {
        "session_1_date_time": "7:00 pm on 1 January, 2024",
        "session_1": [
            turn("D1:1", "Lea", "We bought a small wooden boat for the lake."),
            turn("D1:2", "Max", "Which colour will you paint your boat?"),
            turn("D1:3", "Lea", "Dark green, with a white stripe along the side."),
        ],
    },
    "qa": [question("What colour is Lea's boat?", 4, "D1:3"), question("What did Lea buy?", 4, "D1:1")],
}
CORRECTION = {
    "question_id": "locomo_0_qa1",
    "sample_id": "conv-1",
    "question": "Where did Ruth move?",
    "correct_evidence": ["D1:2"],
}


def write_data(folder: Path) -> Path:
    path = folder / "tiny.json"
    path.write_text(json.dumps([HIKE, BOAT]), encoding="utf-8")
    return path


def write_corrections(folder: Path, **changes: object) -> Path:
    path = folder / "corrections.json"
    path.write_text(json.dumps([{**CORRECTION, **changes}]), encoding="utf-8")
    return path
