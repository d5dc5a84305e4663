"""Contracts to inherit, which run every promise of a port against your own backend, and doubles that make tests fast.

Needs pytest.

    class TestMyStore(StoreContract):
        def owners(self, folder, *, indexing, now):
            return MyOwners(folder, indexing=indexing, now=now)
"""

import pytest

for _part in "base changing embedding erasing finding keeping reindexing sharing".split():
    pytest.register_assert_rewrite(f"inscape.testing.{_part}")

from inscape.testing.doubles import Clock, WordEmbedding, keep, said  # noqa: E402
from inscape.testing.embedding import EmbeddingContract  # noqa: E402
from inscape.testing.store import StoreContract  # noqa: E402

__all__ = ["Clock", "EmbeddingContract", "StoreContract", "WordEmbedding", "keep", "said"]
