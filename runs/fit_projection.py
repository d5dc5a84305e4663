"""Fit the basis on which token vectors are kept: 384 numbers to 64, by principal components without centring.

    python runs/fit_projection.py OUT.npy

The text is nobody's: everyday sentences made from templates below, and sentences of the documentation in Python's
standard library. The result ships as src/inscape/providers/minilm/projection.npy; run it again only with a new
embedding recipe, since stored vectors depend on it.
"""

from __future__ import annotations

import ast
import random
import re
import sys
import sysconfig
from pathlib import Path

import numpy as np

from inscape.providers.minilm import TOKEN_DIMENSION, MiniLM

WHO = "I|My sister|My dad|Our neighbour|The kids|Anna|My boss|Tom|My best friend|We|Grandma|The doctor|Priya|The coach"
DID = """took the night train to Lisbon|missed the ferry because of the storm|is planning a road trip along the coast
booked a cheap hotel near the beach|lost a passport at the airport|hiked in the mountains and slept in a tent
baked a chocolate cake for the party|tried Thai curry for the first time|stopped eating meat last spring
burned the pancakes again|makes the best tomato soup|drinks too much coffee in the morning
got promoted to team leader|quit the job at the bank|has a job interview on Monday|started a small bakery
works from home two days a week|finished the big report just before the deadline|broke an arm while skating
has trouble sleeping lately|goes to physiotherapy every Thursday|is allergic to peanuts|feels much better now
started running to lose weight|is expecting a baby in June|adopted a grey kitten named Pepper
celebrated a fiftieth wedding anniversary|moved in with an elderly aunt|had an argument with a brother
taught the youngest how to ride a bike|plays the violin in a local orchestra|painted a landscape with watercolours
collects old stamps and coins|joined a chess club|reads fantasy novels before bed|is learning to make pottery
was nervous before the exam|felt proud of the result|cried during the last scene of the film
is grateful for all the support|was disappointed by the ending|cannot wait for the holidays|passed the driving test
is studying biology at college|won a science competition|writes a thesis about climate change
volunteers at a shelter on weekends|signed up for a language course|repaired the leaking roof
painted the kitchen yellow|planted roses and tomatoes in the garden|bought a second-hand sofa
adopted a rescue dog|rearranged the living room furniture|saved enough for a new car|sold the old motorbike
lent some money to a friend|spent too much on concert tickets|donated clothes to charity|opened a savings account
watched a documentary about whales|loves jazz and old rock bands|finished a mystery novel
played a new video game all night|went to a theatre show downtown|recorded a podcast episode
ran a marathon for charity|organised a street festival|gave a speech at the wedding
attended a workshop on photography|met an old classmate at the museum|visited a conference in Berlin"""
WHEN = "yesterday|last week|two years ago|in March|on Friday evening|this summer|in 2019|every Sunday|on 14 October"
THEN = """It was so much fun!|That was a hard day.|What do you think about it?|I can send you a photo of it.
Honestly, I did not expect that.|Everyone was really happy.|Have you ever done something like this?
It helped me relax.|I learned a lot from it.|Maybe we can go together next time.
Congratulations, that is great news!|Sorry to hear that, take care of yourself.|Thanks for asking, how about you?
[image: a wooden table with flowers and a cup]|[image: a dog running on the beach at sunset]
[image: a group of people standing in front of a building]"""
NAMES = ("Anna: ", "Tom: ", "Priya: ", "User: ", "Kenji: ", "Marta: ", "")
ASKED = (
    "When did {who} do that: {did}?",
    "What did {who} say about this: {did}?",
    "Who {did}?",
    "Where was it that {who} {did}?",
)


def everyday_sentences(chance: random.Random) -> list[str]:
    """Some hundred sentences and questions on travel, food, work, health, family, hobbies and feelings."""
    who, when, then = WHO.split("|"), WHEN.split("|"), re.split(r"[|\n]", THEN)
    found: list[str] = []
    for did in re.split(r"[|\n]", DID):
        for _ in range(9):
            told = f"{chance.choice(who)} {did} {chance.choice(when)}. {chance.choice(then)}"
            found.append(chance.choice(NAMES) + told)
        found.append(chance.choice(ASKED).format(who=chance.choice(who), did=did))
    return found


def documented_sentences(chance: random.Random, *, most: int) -> list[str]:
    """Sentences of prose from the standard library's docstrings."""
    library = Path(sysconfig.get_paths()["stdlib"])
    found: set[str] = set()
    for path in sorted([*library.glob("*.py"), *library.glob("[a-z]*/*.py")]):
        if {"test", "tests", "site-packages", "idlelib"} & set(path.parts):
            continue
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                prose = " ".join((ast.get_docstring(node) or "").split())
                found.update(
                    sentence
                    for sentence in re.split(r"(?<=[.!?])\s+", prose)
                    if 40 < len(sentence) < 200
                    and sum(c.isalpha() or c == " " for c in sentence) > 0.93 * len(sentence)
                )
    return chance.sample(sorted(found), most)


def main(out: Path) -> None:
    chance = random.Random(7)  # noqa: S311 - it draws sentences
    model = MiniLM()
    texts = everyday_sentences(chance) + documented_sentences(chance, most=600)
    vectors = np.concatenate([model.token_states(text) for text in texts]).astype(np.float64)
    values, basis = np.linalg.eigh(vectors.T @ vectors / len(vectors))
    kept = basis[:, np.argsort(-values)[:TOKEN_DIMENSION]]
    kept *= np.sign(kept[np.abs(kept).argmax(axis=0), np.arange(TOKEN_DIMENSION)])
    np.save(out, kept.astype(np.float32))
    share = np.sort(values)[-TOKEN_DIMENSION:].sum() / values.sum()
    print(f"{len(texts)} texts, {len(vectors)} tokens, {share:.3f} of their square kept; written to {out}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
