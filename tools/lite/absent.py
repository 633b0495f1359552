"""Cells that cannot run in a browser: replace them by their code and their stored output.

A tab is one process without threads, so it cannot start the processes of the appendix. A site
without matplotlib cannot plot. A cell cannot run if it uses a name from a missing module, or a name
that such a cell binds.
"""

from __future__ import annotations

import ast
import base64
import re
from collections.abc import Container
from typing import Any
from urllib.parse import unquote

PROCESSES = ("psutil", "dask", "distributed")
"""Modules that need processes, as the lessons import them."""

PLOTS = ("matplotlib", "grad_flow", "loss_curve", "memory", "derivatives")
"""The module that draws plots, and the visualizer's functions that import it when called."""

WORDS = {
    "en": "**In a browser tab.** Some cells of this chapter need {what}. They are shown with their "
    "output on a computer; all other cells run here too.",
    "zh": "**在浏览器标签页里。** 本章有些单元格需要{what}，"
    "它们只显示在电脑上的输出，其余的在这里照样运行。",
}
WHAT = {
    "en": {
        "processes": "other processes, and a tab is one",
        "plots": "matplotlib, which this site does not have",
    },
    "zh": {
        "processes": "其他进程，而一个标签页只有一个进程",
        "plots": "这个网站没有带上的 matplotlib",
    },
}

DRAWN = re.compile(r'src="data:image/svg\+xml,([^"]+)"')
"""The picture in the stored output of a plot."""

SCOPES = (
    *(ast.FunctionDef, ast.ClassDef, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
"""Nodes with a scope of their own."""

AFTERWARDS = {"en": "After your prediction:", "zh": "作出预测之后再看："}
"""The visible line of an output that the reader has to predict first."""


def without_absent(notebook: dict[str, Any], *, plots: bool = True) -> dict[str, Any]:
    """Return the notebook with texts in place of the code cells that cannot run."""
    language = notebook["metadata"].get("minigrad", {}).get("language", "en")
    absent = PROCESSES if plots else (*PROCESSES, *PLOTS)
    gone = set(absent)
    used: set[str] = set()
    cells: list[dict[str, Any]] = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            source, imported = without_imports(cell["source"], absent)
            gone |= imported
            uses, binds = names(source)
            if uses & gone:
                used |= uses & gone
                gone |= binds
                cells += shown(cell, language)
                continue
            gone -= binds
            cell = {**cell, "source": source}
        cells.append(cell)
    if used:
        what = "processes" if used.intersection(PROCESSES) else "plots"
        notice = WORDS[language].format(what=WHAT[language][what])
        cells.insert(1, prose("in-a-tab", notice))  # below the title
    return {**notebook, "cells": cells}


def without_imports(source: str, absent: Container[str]) -> tuple[str, set[str]]:
    """Return the source without imports of absent modules, and the names that these bound.

    >>> without_imports("import os\\nimport matplotlib.pyplot as plt", ["matplotlib"])
    ('import os', {'plt'})
    """
    lines: list[str | None] = list(source.splitlines())
    bound: set[str] = set()
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            modules = [each for each in statement.names if each.name.split(".")[0] in absent]
            if modules:
                bound |= {each.asname or each.name for each in modules}
                end = statement.end_lineno or statement.lineno
                lines[statement.lineno - 1 : end] = [None] * (end - statement.lineno + 1)
    return ("\n".join(line for line in lines if line is not None) if bound else source), bound


def names(source: str) -> tuple[set[str], set[str]]:
    """Return the names that a cell uses from cells above, and the names that it binds.

    >>> uses, binds = names("x = f(2)\\ny = [x * i for i in more]")
    >>> sorted(uses), sorted(binds)
    (['f', 'more'], ['x', 'y'])
    """
    uses: set[str] = set()
    binds: set[str] = set()
    for statement in ast.parse(source).body:
        loads, stores = loaded_and_stored(statement)
        uses |= loads - binds
        binds |= stores
    return uses, binds


def loaded_and_stored(node: ast.AST) -> tuple[set[str], set[str]]:
    """Return the names that a node reads and binds; names of inner scopes do not count."""
    if isinstance(node, ast.Name):
        return ({node.id}, set()) if isinstance(node.ctx, ast.Load) else (set(), {node.id})
    loads: set[str] = set()
    stores: set[str] = set()
    for part in ast.iter_child_nodes(node):
        read, bound = loaded_and_stored(part)
        loads |= read
        stores |= bound
    if isinstance(node, ast.arg):
        stores.add(node.arg)
    elif isinstance(node, ast.Attribute) and node.attr in PLOTS:
        loads.add(node.attr)
    elif isinstance(node, ast.AugAssign):
        loads |= loaded_and_stored(node.target)[1]
    elif isinstance(node, SCOPES):
        name = {node.name} if isinstance(node, ast.FunctionDef | ast.ClassDef) else set()
        loads, stores = loads - stores, name
    return loads, stores


def shown(cell: dict[str, Any], language: str) -> list[dict[str, Any]]:
    """Return a code cell as texts: its code and its output, which is folded for a prediction."""
    told = "predict" in cell["metadata"].get("tags", [])
    parts = outputs(cell)
    pictures = {f"{n}": picture for n, picture in enumerate(parts) if isinstance(picture, dict)}
    texts = [
        fenced("text", part) if isinstance(part, str) else f"![](attachment:{n})"
        for n, part in enumerate(parts)
    ]
    code = prose(cell["id"], fenced("python", cell["source"]))
    if not texts:
        return [code]
    below = "\n\n".join([AFTERWARDS[language], *texts] if told else texts)
    after = prose(f"{cell['id']}-out", below, told=told)
    return [code, {**after, "attachments": pictures} if pictures else after]


def prose(name: str, source: str, *, told: bool = False) -> dict[str, Any]:
    """Return a cell of prose, folded if it tells the answer of a prediction."""
    metadata = {"tags": ["told"], "jupyter": {"source_hidden": True}} if told else {}
    return {"cell_type": "markdown", "id": name, "metadata": metadata, "source": source}


def outputs(cell: dict[str, Any]) -> list[str | dict[str, str]]:
    """Return the outputs of a cell: texts, and pictures as attachments of a notebook.

    The output of a prediction is stored after an additional line.
    """
    folded = "predict" in cell["metadata"].get("tags", [])
    found: list[str | dict[str, str]] = []
    for output in cell["outputs"]:
        data = output.get("data", {})
        drawn = DRAWN.search(data.get("text/html", ""))
        if output["output_type"] == "error":
            found.append(f"{output['ename']}: {output['evalue']}")
        elif "image/png" in data:
            found.append({"image/png": data["image/png"]})
        elif drawn is not None:
            picture = base64.b64encode(unquote(drawn[1]).encode()).decode()
            found += [{"image/svg+xml": picture}, data["text/plain"]]
        else:
            text = output["text"] if "text" in output else data["text/plain"]
            found.append(text.partition("\n")[2] if folded else text)
    return found


def fenced(kind: str, text: str) -> str:
    return f"```{kind}\n{text.rstrip()}\n```"
