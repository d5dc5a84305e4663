"""Vectors as compact blobs: eight bits a number and one scale a vector."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def sentence_blob(vector: NDArray[np.float32]) -> bytes:
    """A unit vector in dimension + 4 bytes; empty for the zero vector (a text that cannot be read).

    >>> blob = sentence_blob(np.array([0.6, -0.8], dtype=np.float32))
    >>> len(blob), np.round(sentence_from([blob], dimension=2), 2).tolist()
    (6, [[0.6000000238418579, -0.800000011920929]])
    """
    peak = float(np.abs(vector).max(initial=0.0))
    if peak == 0.0:
        return b""
    scale = np.float32(peak / 127)
    return scale.tobytes() + np.rint(vector / scale).astype(np.int8).tobytes()


def sentence_from(blobs: Sequence[bytes], *, dimension: int) -> NDArray[np.float32]:
    """(blobs, dimension) unit vectors from blobs that are not empty."""
    packed = np.frombuffer(b"".join(blobs), dtype=np.int8).reshape(len(blobs), dimension + 4)
    vectors = packed[:, 4:].astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors
