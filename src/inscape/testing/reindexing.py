"""What a store promises about a change of the embedding model."""

from __future__ import annotations

import pytest

from inscape.errors import EmbeddingMismatch, ModelUnreachable
from inscape.indexing import TextIndexing
from inscape.ports import Embedding, Owners, Store
from inscape.testing.base import MODEL, OpenPlace, StoreTests, everything, holding, living, nearest
from inscape.testing.changing import note, written
from inscape.testing.doubles import WordEmbedding, keep

LARGER = TextIndexing(WordEmbedding(96))


class Failing(WordEmbedding):
    """A model that gives so many vectors and then none."""

    def __init__(self, dimension: int, *, after: int) -> None:
        super().__init__(dimension)
        self.left = after

    def embed(self, text: str) -> Embedding:
        self.left -= 1
        if self.left < 0:
            raise ModelUnreachable("The plug was pulled.")
        return super().embed(text)


class ReindexingTests(StoreTests):
    """`reindex`, and the error before it."""

    def test_another_model_is_an_error_that_names_the_command(self, store: Store, open_place: OpenPlace) -> None:
        keep(store, "tea")
        with pytest.raises(EmbeddingMismatch, match="inscape reindex") as caught:
            open_place(LARGER).open("ana")
        assert MODEL.name in str(caught.value)
        assert "words-96" in str(caught.value)

    def test_the_old_model_works_on_until_then(self, store: Store, open_place: OpenPlace) -> None:
        keep(store, "tea", "chess")
        with pytest.raises(EmbeddingMismatch):
            open_place(LARGER).open("ana")
        keep(store, "violin")
        assert nearest(store, "violin") == "t3"

    def test_reindexing_embeds_every_text_and_switches(
        self, store: Store, place: Owners, open_place: OpenPlace
    ) -> None:
        keep(store, *(f"number {n}" for n in range(150)))
        written(store, note("Ana counts.", "t1"))
        place.close()
        new = open_place(LARGER)
        steps: list[tuple[int, int]] = []
        assert new.reindex("ana", progress=lambda done, total: steps.append((done, total))) == 151
        assert steps[-1] == (151, 151)
        assert [done for done, _ in steps] == sorted(done for done, _ in steps)
        again = new.open("ana")
        assert len(living(again)) == 151
        chosen = everything(again, like="number 77", model=LARGER.model)
        assert chosen.id_of(int(chosen.cosine.argmax())) == "t78"
        with pytest.raises(EmbeddingMismatch):
            open_place().open("ana")

    def test_a_second_time_there_is_nothing_to_do(self, store: Store, open_place: OpenPlace) -> None:
        keep(store, "tea")
        new = open_place(LARGER)
        new.reindex("ana", progress=quietly)
        assert new.reindex("ana", progress=quietly) == 0

    def test_interrupted_it_goes_on_where_it_stopped(self, store: Store, open_place: OpenPlace) -> None:
        keep(store, *(f"number {n}" for n in range(200)))
        failing = TextIndexing(Failing(96, after=150))
        with pytest.raises(ModelUnreachable):
            open_place(failing).reindex("ana", progress=quietly)
        assert holding(store, "77") == ["t78"]
        keep(store, "a turn in between")
        assert 0 < open_place(LARGER).reindex("ana", progress=quietly) < 201
        with pytest.raises(EmbeddingMismatch):
            living(store)
        again = open_place(LARGER).open("ana")
        assert everything(again, model=LARGER.model).readable.all()
        assert len(living(again)) == 201

    def test_interrupted_by_the_caller_it_leaves_the_store_as_it_was(self, store: Store, open_place: OpenPlace) -> None:
        keep(store, *(f"number {n}" for n in range(200)))

        def stop(done: int, total: int) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            open_place(LARGER).reindex("ana", progress=stop)
        assert nearest(store, "number 77") == "t78"
        assert len(living(store)) == 200

    def test_what_was_stored_without_vectors_gets_them(self, store: Store, open_place: OpenPlace) -> None:
        dead = WordEmbedding()
        dead.is_reachable = False
        keep(store, "I keep bees", "I play chess", model=dead)
        keep(store, "I sing")
        assert everything(store).readable.tolist() == [False, False, True]
        assert open_place().reindex("ana", progress=quietly) == 2
        assert everything(store).readable.all()
        assert nearest(store, "bees") == "t1"

    def test_what_is_erased_meanwhile_leaves_no_vector(self, store: Store, open_place: OpenPlace) -> None:
        keep(store, *(f"number {n}" for n in range(100)))
        erased: list[str] = []

        class Erasing(WordEmbedding):
            def embed(self, text: str) -> Embedding:
                if not erased:
                    erased.append("t1")
                    store.erase(erased)
                return super().embed(text)

        new = open_place(TextIndexing(Erasing(96)))
        new.reindex("ana", progress=quietly)
        assert new.reindex("ana", progress=quietly) == 0
        assert len(living(open_place(LARGER).open("ana"))) == 99


def quietly(done: int, total: int) -> None:
    """No progress shown."""
