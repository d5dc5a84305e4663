"""A process to be killed: it writes to a memory and acknowledges each receipt in a file, safe on disk.

python -m tests.soak.worker FOLDER ACKNOWLEDGED VERB MODEL NAME
"""

from __future__ import annotations

import os
import sys
from itertools import count
from pathlib import Path

from inscape import assemble
from inscape.memory import Memory
from inscape.ports import EmbeddingModel
from inscape.recipes import Recipe
from inscape.settings import Settings
from inscape.testing import WordEmbedding

USER = "ana"
BATCH = 20
MODELS = {"small": 16, "large": 24}


def opened(folder: Path, model: str) -> Memory:
    """The memory with one of the two models, neither of which needs weights."""

    def model_of(name: str) -> EmbeddingModel:
        return WordEmbedding(MODELS[name])

    assemble.embedding_model = model_of
    return Memory(folder, settings=Settings(embedding=model), recipe=Recipe(name="soak", floor=0, gate=0))


def main(folder: Path, acknowledged: Path, verb: str, model: str, name: str) -> None:
    """Write until killed."""
    memory = opened(folder, model)
    with acknowledged.open("a", encoding="utf-8") as log:

        def acknowledge(line: str) -> None:
            log.write(f"{line}\n")
            log.flush()
            os.fsync(log.fileno())

        acknowledge("ready")
        if verb == "reindex":
            memory.reindex(user_id=USER)
            acknowledge("reindexed")
            return
        for number in count():
            size = BATCH if verb == "import" else 1
            texts = [f"{name} wrote message {name}x{number}x{part} here" for part in range(size)]
            receipt = memory.add([{"content": text, "id": f"{text}"} for text in texts], user_id=USER)
            for id, text in zip(receipt.stored, texts, strict=True):
                log.write(f"{id}\t{text}\n")
            acknowledge("done")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:6])
