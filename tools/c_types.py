"""Sources with C types: fields of C structs, which a `.pxd` file declares next to its `.py` file.

A class attribute with a default (`_grad: Any = None`) becomes a field of the struct. A struct has
no defaults other than None, False and 0. So in the copy that is compiled, `__cinit__` sets the
others. `copy.copy` does not see the fields, so `__copy__` copies them where others extend a struct,
as those of nodes. No line moves, because tracebacks quote the source.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

CLASS = re.compile(r"^cdef class (\w+)(?:\((\w+)\))?:\n((?:(?: .*)?\n)*)", re.M)
FIELD = re.compile(r"^ +cdef public [\w.]+ (\w+)$", re.M)

ZEROS = ("None", "False", "0")
"""The defaults that a new struct has by itself."""

INIT = "    def __cinit__(self, *_, **named): {}"

COPY = (
    "    def __copy__(self): twin = self.__class__.__new__(self.__class__); "
    "getattr(twin, '__dict__', {{}}).update(getattr(self, '__dict__', {{}})); "
    "[setattr(twin, name, getattr(self, name)) for name in {} if hasattr(self, name)]; return twin"
)


class Structs:
    """The C structs that the `.pxd` files of a package declare."""

    def __init__(self, package: Path) -> None:
        texts = [path.read_text("utf-8") for path in sorted(package.rglob("*.pxd"))]
        found = [match for text in texts for match in CLASS.findall(text)]
        self.bases: dict[str, str] = {name: base for name, base, _ in found}
        self.own = {name: FIELD.findall(body) for name, _, body in found}

    def line(self, name: str) -> list[str]:
        """Return the struct and those that it extends."""
        return [name, *self.line(self.bases[name])] if name in self.bases else []

    def to_copy(self, name: str) -> list[str]:
        """Return the fields of a struct and of all that extend it; none if it is the last one."""
        extending = [other for other in self.bases if name in self.line(other)]
        fields = [field for other in extending for field in self.own[other]]
        return sorted(fields) if extending[1:] else []

    def with_fields(self, text: str) -> str:
        """Return the source, in which a `__cinit__` sets the defaults of the fields."""
        lines = text.splitlines()
        for node in ast.parse(text).body:
            if not isinstance(node, ast.ClassDef) or node.name not in self.bases:
                continue
            fields = {field for name in self.line(node.name) for field in self.own[name]}
            free, defaults = [], []
            for statement in node.body:
                if isinstance(statement, ast.AnnAssign):
                    name = ast.unparse(statement.target)
                    if name in fields or statement.value is None:
                        for place in range(statement.lineno - 1, statement.end_lineno or 0):
                            lines[place] = ""
                            free.append(place)
                        value = statement.value and ast.unparse(statement.value)
                        if value not in (None, *ZEROS):
                            defaults.append(f"self.{name} = {value}")
            if defaults:
                lines[free.pop()] = INIT.format("; ".join(defaults))
            if not self.bases[node.name] and (names := self.to_copy(node.name)):
                lines[free.pop()] = COPY.format(names)
        return "\n".join(lines) + "\n"
