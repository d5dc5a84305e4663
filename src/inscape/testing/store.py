"""Every promise of `ports.Store` and `ports.Owners` in one class."""

from __future__ import annotations

from inscape.testing.changing import ChangingTests, SessionTests
from inscape.testing.erasing import ErasingTests
from inscape.testing.finding import FindingTests
from inscape.testing.keeping import KeepingTests
from inscape.testing.reindexing import ReindexingTests
from inscape.testing.sharing import SharingTests


class StoreContract(
    KeepingTests, FindingTests, ChangingTests, SessionTests, ErasingTests, ReindexingTests, SharingTests
):
    """Inherit it and say what `owners` are; `remains` too where memories are not files of a folder."""
