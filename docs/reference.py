"""The API reference: pdoc, told in plain texts where classes are found.

pdoc looks members up by the module that a class names, in dictionaries; to it a `Place`
(minigrad/arrays/places.py) has to be the text alone. Takes pdoc's own arguments.
"""

from functools import cached_property
from typing import Any

from pdoc.__main__ import cli
from pdoc.doc import Class

declarations = vars(Class)["_declarations"].func


def in_plain_texts(self: Any) -> dict[str, tuple[str, str]]:
    """Where each member of a class is declared: module and name."""
    found = declarations(self)
    return {name: (str(module), member) for name, (module, member) in found.items()}


Class._declarations = cached_property(in_plain_texts)  # type: ignore[misc,assignment]
Class._declarations.__set_name__(Class, "_declarations")  # type: ignore[attr-defined]

if __name__ == "__main__":
    cli()
