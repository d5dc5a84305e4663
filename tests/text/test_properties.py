"""What holds for any text whatever."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inscape.errors import InvalidInput, InvalidTimestamp
from inscape.incoming import Defaults, cleaned, messages_from
from inscape.records import Json
from inscape.testing import Clock
from inscape.text.cues import cues_of, wanted_cues
from inscape.text.dates import dates_in, read_timestamp, read_zone
from inscape.text.sentences import sentence_spans
from inscape.text.words import fold, terms_of
from tests.ask import everything
from tests.conftest import Opens

ANY = st.text(st.characters())
"""Surrogates and NUL included."""
TIMES = st.text("0123456789/-.:, TZ+年月日時点上下午()апрmMayJunSepthsrdo", max_size=30)


@given(ANY)
def test_terms_and_cues_come_from_any_text(text: str) -> None:
    for term in terms_of(text):
        assert term
        assert len(term) <= 64
        assert not any(sign.isspace() for sign in term)
    cues_of(text)
    wanted_cues(text)
    dates_in(text)


@given(ANY)
def test_terms_do_not_depend_on_case_or_width(text: str) -> None:
    assert terms_of(text) == terms_of(fold(text)) or "'" in fold(text) or "’" in fold(text)


@given(ANY | st.text('ab.!?。！？”"\n  Dr'))
def test_sentences_hold_every_sign_that_is_no_white_space(text: str) -> None:
    spans = sentence_spans(text)
    at = 0
    for start, end in spans:
        assert at <= start < end <= len(text)
        assert text[at:start].strip() == ""
        assert text[start:end].strip() == text[start:end]
        at = end
    assert text[at:].strip() == ""


@given(ANY)
def test_cleaned_text_can_be_stored(text: str) -> None:
    clean, mended = cleaned(text)
    clean.encode()
    assert "\x00" not in clean
    assert cleaned(clean) == (clean, ())
    assert bool(mended) == (clean != text)


@given(st.one_of(ANY, TIMES, st.integers(), st.floats(), st.datetimes(), st.dates(), st.none(), st.binary()))
def test_a_time_is_read_or_refused_by_name(value: Any) -> None:
    try:
        moment, offset = read_timestamp(value)
    except InvalidTimestamp:
        return
    assert moment.tzinfo is UTC
    assert 1900 <= moment.year <= 2200
    assert abs(offset) < 86_400


@given(st.datetimes(datetime(1900, 1, 2), datetime(2200, 1, 1)))
def test_a_written_time_is_read_back(moment: datetime) -> None:
    aware = moment.replace(tzinfo=UTC)
    assert read_timestamp(aware.isoformat()) == (aware, 0)
    whole = aware.replace(microsecond=0)
    assert read_timestamp(int(whole.timestamp()))[0] == whole or abs(whole.timestamp()) >= 1e11
    assert read_timestamp(whole.strftime("%d %B %Y %H:%M:%S"))[0] == whole


@given(ANY | st.text("UTCGM+-:0123456789/EuropBlin", max_size=20))
def test_a_zone_is_known_or_refused_by_name(name: str) -> None:
    with suppress(InvalidTimestamp):
        read_zone(name)


JSON: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(-1e300, 1e300) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@given(st.recursive(st.none() | st.integers() | ANY, lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(
    ["role", "content", "text", "type", "name", "timestamp", "id", "captions", "metadata", "timezone", "session_id"]
), inner), max_leaves=10))  # fmt: skip
def test_anything_handed_in_is_read_or_refused(value: Any) -> None:
    try:
        accepted, refused, _ = messages_from(value, defaults=Defaults(owner="ana"))
    except InvalidInput:
        return
    assert accepted
    places = [place for place, _ in accepted] + [one.index for one in refused]
    assert sorted(places) == list(range(len(cast("list[Any]", value)) if isinstance(value, list) else 1))


def mended(value: Json) -> Json:
    if isinstance(value, str):
        return cleaned(value)[0]
    if isinstance(value, dict):
        return {cleaned(key)[0]: mended(part) for key, part in value.items()}
    return [mended(part) for part in value] if isinstance(value, list) else value


@pytest.fixture(scope="module")
def counted() -> list[int]:
    return [0]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(ANY, min_size=1, max_size=4), metadata=st.dictionaries(st.text(max_size=5), JSON, max_size=3))
def test_what_is_added_comes_back(
    opens: Opens, clock: Clock, counted: list[int], texts: list[str], metadata: dict[str, Json]
) -> None:
    counted[0] += 1
    user = f"user{counted[0]}"
    wanted = [cleaned(text)[0] for text in texts]
    memory = opens()
    try:
        memory.add(list(texts), user_id=user, metadata=metadata)
    except InvalidInput:
        assert all(not text.strip() for text in wanted)
        return
    finally:
        kept = everything(memory, user)
        items = memory.get_all(user_id=user)["results"]
        memory.close()
    assert kept == [text for text in wanted if text.strip()]
    for item in items:
        assert item["metadata"] == {cleaned(key)[0]: mended(value) for key, value in metadata.items()}
