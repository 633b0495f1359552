"""Where users find a class: `minigrad.nn.Linear`, as its `repr` says and a pickle.

Most classes stand in another file than the one that users import them from, and say so: PyTorch's
say `torch.Tensor`, too, wherever they stand. But what Python looks up by a class's module, it has
to find where the class stands: its source (`inspect.getsource`), the names in its annotations, the
examples in its docstring. So a class's `__module__` is a `Place` here: a text for those who read
it, and the module of the file for those who look it up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class Place(str):
    """The namespace where users find a class; it is equal to that name, and to the module where
    the class stands.

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
        return hash(self.stands)  # what sys.modules is asked for

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)  # where another process will find the class


def found_here(namespace: Mapping[str, object], names: Iterable[str]) -> None:
    """Let the classes among the public `names` of a namespace say that they are found there; those
    that are found in two, in the nearer."""
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
