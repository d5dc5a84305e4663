"""Words: what search compares. Stems of English words, other words as they are, pairs of signs in
scripts that put no space between words."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Protocol, cast

import snowballstemmer  # pyright: ignore[reportMissingTypeStubs]

WORDS_RECIPE = "words-1"
"""Rises whenever `terms_of` would give other terms for a text; a store remembers it."""

STOP_WORDS = frozenset(
    """
    a about above after again against all also am an and any are aren as at be because been before being
    below between both but by can cannot could couldn d did didn do does doesn doing don down during
    each either else ever every few for from further get gets getting got had hadn has hasn have haven
    having he her here hers herself hey him himself his how however i if in into is isn it its itself
    just kind let like ll lot lots m made make makes many may me might more most much must my myself no
    nor not o of off oh ok okay on once one only or other others our ours ourselves out over own re
    really s same say says shall she should shouldn since so some something such t than that the their
    theirs them themselves then there these they thing things this those though through to too under
    until up upon us ve very was wasn we well were weren what when where whether which while who whom
    whose why will with won would wouldn yeah yes yet you your yours yourself yourselves
    的 了 是 在 我 你 他 她 它 们 和 也 就 都 吗 呢 吧 啊 把 被 着 过 很 这 那 么 哪 谁 什 为
    与 及 或
    """.split()
)
"""Words that say nothing about what a text is about."""

_UNSPACED = (
    "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\U00020000-\U0003134f"
)
_PIECE = re.compile(rf"[{_UNSPACED}]+|(?:(?![{_UNSPACED}])[^\W_])+")
_UNSPACED_START = re.compile(rf"[{_UNSPACED}]")
_POSSESSIVE = re.compile(r"(?<=\w)['’]s\b")


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - Snowball's own name


_stemmer = cast("_Stemmer", snowballstemmer.stemmer("english"))  # pyright: ignore[reportUnknownMemberType]


def terms_of(text: str) -> list[str]:
    """The terms of a text, in order, repeats included.

    >>> terms_of("Ana's flights to Room 101")
    ['ana', 'flight', 'room', '101']
    >>> terms_of("我喜欢咖啡")
    ['喜', '欢', '咖', '啡', '我喜', '喜欢', '欢咖', '咖啡']
    """
    found: list[str] = []
    for piece in _PIECE.findall(fold(text)):
        if _UNSPACED_START.match(piece):
            found.extend(sign for sign in piece if sign not in STOP_WORDS)
            found.extend(piece[at : at + 2] for at in range(len(piece) - 1))
        elif (term := term_of(piece)) is not None:
            found.append(term)
    return found


@lru_cache(maxsize=65_536)
def term_of(word: str) -> str | None:
    """The term of one folded word, or None for a stop word.

    >>> term_of("running"), term_of("the")
    ('run', None)
    """
    if word in STOP_WORDS:
        return None
    if len(word) > 64:
        return word[:64]
    return _stemmer.stemWord(word) if word.isascii() else word


def fold(text: str) -> str:
    """Lower case, compatibility forms and possessives undone, so that equal words are equal strings.

    >>> fold("ＡＮＡ’s Café")
    'ana café'
    """
    return _POSSESSIVE.sub("", unicodedata.normalize("NFKC", text).casefold())
