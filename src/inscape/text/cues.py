"""What the form of a sentence gives away."""

from __future__ import annotations

import re
from enum import IntFlag

LONGEST_QUESTION = 400
"""A longer message that ends in a question mark tells more than it asks."""


class Cue(IntFlag):
    """What is kept of a turn's form."""

    ASKS = 1
    TELLS_TIME = 2
    HOLDS_NAME = 4


_TIME = re.compile(
    r"\b(yesterday|today|tonight|tomorrow|ago|last|next|since|recently|soon|weeks?|weekend|months?|years?"
    r"|this (?:morning|summer|spring|fall|autumn|winter)|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|january|february|march|april|may \d+|june|july|august|september|october|november|december"
    r"|(?:19|20)\d\d|\d+(?:st|nd|rd|th))\b"
    r"|[今昨明前后去][天年]|[上下这]个?[周月]|星期|周[一二三四五六日]|\d+[年月日号]",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[a-z0-9,;:)] )[A-Z][a-z]+|[\"“][A-Z]|《")
_ASKS_WHEN = re.compile(
    r"\bwhen\b|\bhow long\b|\b(?:what|which) (?:date|day|month|year|time)\b|什么时候|何时|哪[天年月]|几[月号点]|多久",
    re.IGNORECASE,
)
_ASKS_NAME = re.compile(
    r"\bwhere\b|^(?:who|which)\b|\bwh(?:at|ich) (?:city|country|place|state|town|location)\b|哪里|哪儿|谁",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|me|my|mine|myself|we|our|us)\b|我", re.IGNORECASE)
_SECOND_PERSON = re.compile(r"\b(?:you|your|yours)\b|[你您]", re.IGNORECASE)
_ENDS_ASKING = ("?", "？", "吗", "呢")


def cues_of(text: str) -> Cue:
    """The cues of a turn.

    >>> cues_of("We went to Lisbon last year. And you?") == Cue.ASKS | Cue.TELLS_TIME | Cue.HOLDS_NAME
    True
    """
    text = text.strip()
    found = Cue(0)
    if len(text) <= LONGEST_QUESTION and text.rstrip("\"'”’)」』）~!！。. ").endswith(_ENDS_ASKING):
        found |= Cue.ASKS
    if _TIME.search(text):
        found |= Cue.TELLS_TIME
    if _NAME.search(text):
        found |= Cue.HOLDS_NAME
    return found


def wanted_cues(question: str) -> Cue:
    """What an answer to the question probably holds: a time, a name.

    >>> wanted_cues("When did Ana move?"), wanted_cues("Where is she?")
    (<Cue.TELLS_TIME: 2>, <Cue.HOLDS_NAME: 4>)
    """
    found = Cue(0)
    if _ASKS_WHEN.search(question):
        found |= Cue.TELLS_TIME
    if _ASKS_NAME.search(question):
        found |= Cue.HOLDS_NAME
    return found


def is_about_asker(question: str) -> bool:
    """Whether a question is about the one who asks it, and not about what the assistant said.

    >>> is_about_asker("Where do I work?"), is_about_asker("What did you tell me?"), is_about_asker("Who is Ana?")
    (True, False, False)
    """
    return bool(_FIRST_PERSON.search(question)) and not _SECOND_PERSON.search(question)
