"""What every embedding model promises (see `ports.EmbeddingModel`)."""

from __future__ import annotations

import numpy as np
import pytest

from inscape.ports import Embedding, EmbeddingModel

TEXTS = (
    "I moved to Lisbon in March.",
    "ok",
    "Ana and Eva drink tea. Ben, however, has never liked it!",
    "Room 101",
    "Je suis allée à la plage 🏖️ hier",
    "x" * 300,
)


class EmbeddingContract:
    """Inherit it and say what `model` is."""

    def model(self) -> EmbeddingModel:
        """A model of yours; called once a test."""
        raise NotImplementedError

    @pytest.mark.parametrize("text", TEXTS)
    def test_vectors_have_the_shape_that_the_model_names(self, text: str) -> None:
        model = self.model()
        made = model.embed(text)
        assert made.sentence.shape == (model.dimension,)
        assert made.sentence.dtype == np.float32
        assert made.tokens.dtype == np.int8
        assert made.tokens.ndim == 2
        assert made.tokens.shape[1] == model.token_dimension
        assert len(made.token_terms) == len(made.tokens)

    @pytest.mark.parametrize("text", TEXTS)
    def test_a_sentence_vector_has_length_one_or_is_all_zero(self, text: str) -> None:
        made = self.model().embed(text)
        assert made.is_blind or abs(float(np.linalg.norm(made.sentence)) - 1) < 1e-3

    def test_a_vector_is_a_function_of_the_text_alone(self) -> None:
        model = self.model()
        before = [bytes_of(model.embed(text)) for text in TEXTS]
        after = [bytes_of(model.embed(text)) for text in reversed(TEXTS)]
        assert before == after[::-1]

    def test_another_object_of_the_model_gives_the_same_vectors_and_recipe(self) -> None:
        one, other = self.model(), self.model()
        assert one.recipe == other.recipe
        assert bytes_of(one.embed(TEXTS[0])) == bytes_of(other.embed(TEXTS[0]))

    def test_a_long_text_is_read_to_its_end(self) -> None:
        model = self.model()
        filler = "We talked about the weather for quite a while that day. " * 40
        without, with_end = model.embed(filler), model.embed(f"{filler}My sister Eva repairs violins in Cremona.")
        assert bytes_of(without) != bytes_of(with_end)

    @pytest.mark.parametrize("text", ["", " ", "\n", "🙂", "���", "。", "{}[]", "\u202eשלום", "A" * 5000])
    def test_no_text_is_too_odd(self, text: str) -> None:
        model = self.model()
        assert np.isfinite(model.embed(text).sentence).all()


def bytes_of(made: Embedding) -> tuple[bytes, bytes, tuple[str, ...]]:
    """An embedding, to be compared to the last bit."""
    return made.sentence.tobytes(), made.tokens.tobytes(), made.token_terms
