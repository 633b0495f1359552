"""The API reference has and explains every public name, and needs no network."""

from __future__ import annotations

import importlib
import inspect
import re
import shutil
import zlib
from pathlib import Path
from typing import Any

import pytest

INDEX = """# Documents

```{toctree}
reference/index
documents/differences
```
"""
PACKAGES = ["minigrad", "minigrad_viz"]
MODULES = [
    *PACKAGES,
    *("minigrad.autograd", "minigrad.autograd.events", "minigrad.autograd.functional"),
    "minigrad.autograd.replay",
    *("minigrad.nn", "minigrad.nn.functional"),
    *("minigrad.nn.init", "minigrad.optim", "minigrad.linalg", "minigrad.utils.data"),
    *("minigrad.accelerator", "minigrad.cpu", "minigrad.cuda", "minigrad.distributions"),
    *("minigrad.amp", "minigrad.autograd.profiler", "minigrad.quasirandom"),
    *("minigrad.overrides", "minigrad.profiler", "minigrad.special"),
]


@pytest.fixture(scope="module")
def reference(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reference alone, built by Sphinx without a warning."""
    pytest.importorskip("sphinx", reason="Sphinx is not installed (pip install '.[site]')")
    from minigrad_lessons.site import pages, sources

    folder = tmp_path_factory.mktemp("docs")
    tree = folder / "sources"
    english = shutil.ignore_patterns("*.zh.md")
    shutil.copytree(root / "docs" / "reference", tree / "en" / "reference", ignore=english)
    sources.put(tree / "en" / "index.md", INDEX)
    differences, _ = sources.translated("differences", "en")
    sources.put(
        tree / "en" / "documents" / "differences.md", sources.with_links(differences, set())
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "JOBS", "1")  # other tests have the other cores
        pages.run("html", tree, "en", folder / "site")
    return folder / "site" / "reference"


def public(module: Any) -> list[str]:
    """Return the names that a module exports: `__all__`, or those that it defines."""
    own = [n for n, v in vars(module).items() if getattr(v, "__module__", "") == module.__name__]
    exported = getattr(module, "__all__", [name for name in own if not name.startswith("_")])
    return [name for name in exported if not inspect.ismodule(getattr(module, name))]


@pytest.fixture(scope="module")
def places(reference: Path) -> set[str]:
    """The addresses of all entries."""
    return {
        place
        for path in reference.glob("*.html")
        for place in re.findall(r'id="(minigrad[\w.]*)"', path.read_text(encoding="utf-8"))
    }


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_has_its_place(places: set[str], name: str) -> None:
    names = public(importlib.import_module(name))
    assert [n for n in names if f"{name}.{n}" not in places] == []


def test_every_tensor_method_is_documented(places: set[str]) -> None:
    import minigrad

    methods = [name for name in dir(minigrad.Tensor) if not name.startswith("_")]
    assert len(methods) > 300
    assert [name for name in methods if f"minigrad.Tensor.{name}" not in places] == []


def test_a_function_is_shown_without_its_decorator(reference: Path) -> None:
    """The operation that its decorator takes is not shown."""
    page = (reference / "minigrad.html").read_text(encoding="utf-8")
    assert 'id="minigrad.tril"' in page
    assert "operation.Operation" not in page


def test_a_schema_is_a_signature(reference: Path) -> None:
    page = (reference / "minigrad.html").read_text(encoding="utf-8")
    entry = re.search(r'<dt[^>]*id="minigrad.softmax">(.*?)</dl>', page, re.DOTALL)
    assert entry
    text = re.sub("<[^>]*>", "", entry[1])
    assert "softmax(Tensor input, int dim, dtype? dtype=None, *, Tensor out=None)" in text
    assert "Compute exponentials that add up to 1 along dim." in text


def test_the_inventory_has_all_entries(reference: Path, places: set[str]) -> None:
    """Other projects link to ours by objects.inv."""
    packed = (reference.parent / "objects.inv").read_bytes().split(b"zlib.\n", 1)[1]
    listed = {line.split(" ")[0] for line in zlib.decompress(packed).decode().splitlines()}
    assert "minigrad_viz.step" in listed
    assert len(listed & places) > 900


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_is_explained(name: str) -> None:
    """`newaxis` is None and has no docstring."""
    module = importlib.import_module(name)
    named = {name: getattr(module, name) for name in public(module)}
    assert [n for n, v in named.items() if v is not None and not inspect.getdoc(v)] == []


def test_the_pages_load_nothing_from_elsewhere(reference: Path) -> None:
    pages = list(reference.rglob("*.html"))
    assert len(pages) > 10
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="https?:', text), page
        assert "default-src 'none'" in text
