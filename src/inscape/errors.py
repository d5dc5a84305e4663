"""The error tree. Each message says what happened and what to do.

InscapeError
├── InvalidInput (also ValueError)
│   ├── InvalidMessage        a message that cannot be stored
│   ├── InvalidTimestamp      a time that cannot be read
│   ├── InvalidOwner          a user id that cannot name an owner
│   ├── InvalidSetting        an unknown or ill-typed setting
│   └── WrongFormat           a file that is not what the reader was told
├── UnknownId (also KeyError) an id that this owner does not have
├── StorageError
│   ├── NotAStore             a file or folder that is no inscape store
│   ├── StoreTooNew           written by a newer inscape
│   ├── StoreUnwritable       read-only folder, full disk
│   ├── StoreBusy             another process held the lock for too long
│   └── EmbeddingMismatch     the store was embedded by another model
└── ModelError
    ├── UnknownModel          no model of that name
    ├── MissingExtra          an optional package is not installed
    └── ModelUnreachable      the model's address gave no usable answer
"""

from __future__ import annotations

import reprlib


def shown(value: object) -> str:
    """A caller's value as an error message quotes it: at most about sixty characters of it."""
    short = reprlib.Repr()
    short.maxstring = short.maxother = 60
    try:
        return short.repr(value)
    except ValueError:  # a number of thousands of digits
        return f"a very long {type(value).__name__}"


class InscapeError(Exception):
    """Whatever inscape raises on purpose."""


class InvalidInput(InscapeError, ValueError):
    """The caller's words are off; nothing was changed."""


class InvalidMessage(InvalidInput):
    """A message that cannot be stored."""


class InvalidTimestamp(InvalidInput):
    """A time that cannot be read."""


class InvalidOwner(InvalidInput):
    """A user id that cannot name an owner."""


class InvalidSetting(InvalidInput):
    """An unknown or ill-typed setting."""


class WrongFormat(InvalidInput):
    """A file that is not what the reader was told."""


class UnknownId(InscapeError, KeyError):
    """An id that this owner does not have."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class StorageError(InscapeError):
    """The store cannot do what was asked."""


class NotAStore(StorageError):
    """A file or folder that is no inscape store."""


class StoreTooNew(StorageError):
    """The store was written by a newer inscape."""


class StoreUnwritable(StorageError):
    """The folder is read-only or the disk is full."""


class StoreBusy(StorageError):
    """Another process held the store's lock for too long."""


class EmbeddingMismatch(StorageError):
    """The store was embedded by another model or recipe."""


class ModelError(InscapeError):
    """A model cannot be used."""


class UnknownModel(ModelError):
    """No model of that name."""


class MissingExtra(ModelError):
    """An optional package is not installed."""


class ModelUnreachable(ModelError):
    """The model's address gave no usable answer."""
