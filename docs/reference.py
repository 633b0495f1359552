"""Build the API reference with pdoc; the arguments are pdoc's.

pdoc looks up members by the name of a class's module, in dictionaries. A `Place`
(minigrad/arrays/places.py) must therefore be converted to a string, and a member that its module
imports on first use must be used once.
"""

from functools import cached_property
from typing import Any

import minigrad_viz
from pdoc.__main__ import cli
from pdoc.doc import Class

declarations = vars(Class)["_declarations"].func


def string_declarations(self: Any) -> dict[str, tuple[str, str]]:
    """Return the module and the name under which each member of a class is declared."""
    members = declarations(self)
    return {name: (str(module), member) for name, (module, member) in members.items()}


Class._declarations = cached_property(string_declarations)  # type: ignore[misc,assignment]
Class._declarations.__set_name__(Class, "_declarations")  # type: ignore[attr-defined]

minigrad_viz.Stepper  # noqa: B018

if __name__ == "__main__":
    cli()
