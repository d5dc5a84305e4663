"""Libraries loaded so that they report to nobody."""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType

_SILENT = {"ORT_DISABLE_TELEMETRY": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
"""onnxruntime writes a device id and an event file into the home folder when it is imported, unless told not to
before; the hub client that fastembed uses sends usage figures."""


def quietly_imported(name: str) -> ModuleType:
    """A module, imported with its telemetry switched off unless the environment says otherwise.

    Raises ImportError.
    """
    for variable, value in _SILENT.items():
        os.environ.setdefault(variable, value)
    return import_module(name)
