"""The public place of a class: `minigrad.nn.Linear`, as its `repr` and a pickle show it.

Most classes are defined in another file than the one from which users import them. As in PyTorch
(`torch.Tensor`), their module is the public one. But Python also uses a class's module to find its
source (`inspect.getsource`), the names in its annotations and the examples in its docstring. So a
class's `__module__` is a `Place` here: it prints as the public module, and as a key it finds the
module of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class Place(str):
    """The public module of a class; equal to that name, and to the module that defines the class.

    >>> place = Place("minigrad.nn", "minigrad.nn.layers")
    >>> f"{place}", place == "minigrad.nn", {"minigrad.nn.layers": "the module"}[place]
    ('minigrad.nn', True, 'the module')
    """

    stands: str

    def __new__(cls, found: str, stands: str) -> Place:
        place = str.__new__(cls, found)
        place.stands = stands
        return place

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other) is True or self.stands == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.stands)  # the key in sys.modules

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)  # another process finds the class there


def set_places(namespace: Mapping[str, object], names: Iterable[str]) -> None:
    """Set this namespace as the place of the classes among its public `names`.

    A class of two namespaces gets the nearer one.
    """
    here = str(namespace["__name__"])
    ours = here.partition(".")[0]
    for name in names:
        kind = namespace.get(name)
        if not isinstance(kind, type) or kind.__module__.partition(".")[0] != ours:
            continue
        before = kind.__module__
        if not isinstance(before, Place):
            kind.__module__ = Place(here, before)
        elif len(here) < len(before):
            kind.__module__ = Place(here, before.stands)
