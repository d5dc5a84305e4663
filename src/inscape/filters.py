"""Filters, as callers give them and as stores apply them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TypedDict

from inscape.errors import InvalidInput
from inscape.incoming import metadata_from, plain_string, readable_name, role_from
from inscape.records import Filter, Json
from inscape.text.dates import is_bare_date, read_timestamp

_A_DAY = timedelta(days=1) - timedelta(microseconds=1)


class Filters(TypedDict, total=False):
    """What a call may be limited to; None is the same as leaving it out."""

    agent_id: str | None
    run_id: str | None
    session_id: str | None
    speaker: str | None
    role: str | None
    since: object
    """As `timestamp` in `add`; included."""
    until: object
    """Included; a bare date means until the end of that day."""
    metadata: Mapping[str, Json] | None
    """Keys that must have these values."""


def filter_from(given: Filters) -> Filter:
    """A filter from a caller's words. Raises InvalidInput, InvalidTimestamp."""
    unknown = set(given) - Filters.__annotations__.keys()
    if unknown:
        hint = " For how many, pass top_k (search, recall)." if "limit" in unknown else ""
        known = ", ".join(sorted(Filters.__annotations__))
        raise InvalidInput(f"There is no filter {sorted(unknown)[0]!r}. The filters are: {known}.{hint}")

    def name(value: object, which: str) -> str | None:
        return None if value is None else readable_name(plain_string(value, which))

    def moment(value: object, *, last: bool) -> datetime | None:
        if value is None:
            return None
        at, _ = read_timestamp(value)
        return at + _A_DAY if last and is_bare_date(value) else at

    role, metadata = given.get("role"), given.get("metadata")
    since, until = moment(given.get("since"), last=False), moment(given.get("until"), last=True)
    if since is not None and until is not None and since > until:
        raise InvalidInput(f"since ({since:%Y-%m-%d}) lies after until ({until:%Y-%m-%d}). Swap them.")
    return Filter(
        speaker=name(given.get("speaker"), "speaker"),
        session_id=name(given.get("session_id"), "session_id"),
        agent_id=name(given.get("agent_id"), "agent_id"),
        run_id=name(given.get("run_id"), "run_id"),
        role=None if role is None else role_from(role),
        since=since,
        until=until,
        metadata={} if metadata is None else metadata_from(metadata),
    )
