"""The chapter of the lessons that teaches the subject of an answer."""

from __future__ import annotations

from .causes import FREED

CHAPTERS: dict[str, tuple[str, ...]] = {
    "3": ("not_leaf",),
    "4": (*FREED, "taken_away", "not_called_or_taken", "by_grad"),
    "5": ("no_graph", "cut_off", "leaf_in_place"),
    "5b": ("in_place",),
    "6": ("not_scalar",),
    "8": ("always_returned_none",),
    "10": ("no_create_graph", "linear"),
    "12": ("cut_number", "cut_numpy", "cut_indices", "cut_comparison", "cut_cast"),
    "14": ("kept_graphs",),
    "15": ("frozen",),
    "16": ("nan_value", "nan_value_about", "nan_leaf", "nan_gradient", "nan_in_backward"),
}
"""The causes that have no rule of their own."""

CHAPTER_OF = {cause: number for number, causes in CHAPTERS.items() for cause in causes}
