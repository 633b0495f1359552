"""What a browser has not, a lesson says: cells that need it are shown, with what they once put out.

A tab is one process without threads, so the appendix on several machines cannot start any. Its
other cells run as everywhere. Which cells cannot, follows from the names: whatever is imported from
a module that is not there is not there either, nor is anything that a cell binds which uses it.
"""

from __future__ import annotations

import ast
from typing import Any

ABSENT = ("psutil", "distributed")
"""Modules that need processes, by the names under which lessons import them."""

WORDS = {
    "en": "**In a browser tab.** This chapter starts processes, and a tab is one. The cells that "
    "need others are shown with what they put out on a computer; all the rest runs here, too.",
    "zh": "**在浏览器标签页里。** 本章要启动多个进程，而一个标签页只有一个进程。"
    "需要其他进程的单元格只显示它们在电脑上的输出，其余的在这里照样运行。",
}

AFTERWARDS = {"en": "After your prediction:", "zh": "作出预测之后再看："}
"""The one line that is seen of an output that is to be predicted, before a reader has answered."""


def without_absent(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook, with each code cell that cannot run here as a text in its place."""
    language = notebook["metadata"].get("minigrad", {}).get("language", "en")
    gone: set[str] = set()
    cells: list[dict[str, Any]] = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            source, imported = without_imports(cell["source"])
            gone |= imported
            uses, binds = names(source)
            if uses & gone:
                gone |= binds
                cells += shown(cell, language)
                continue
            cell = {**cell, "source": source}
        cells.append(cell)
    if gone:
        cells.insert(1, prose("in-a-tab", WORDS[language]))  # below the title
    return {**notebook, "cells": cells}


def without_imports(source: str) -> tuple[str, set[str]]:
    """The source without the lines that import what is absent, and the names that these bound.

    >>> without_imports("import os\\nimport psutil")
    ('import os', {'psutil'})
    """
    lines: list[str | None] = list(source.splitlines())
    bound: set[str] = set()
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            found = {each.asname or each.name for each in statement.names if each.name in ABSENT}
            if found:
                bound |= found
                lines[statement.lineno - 1 : statement.end_lineno] = [None] * (
                    (statement.end_lineno or statement.lineno) - statement.lineno + 1
                )
    return ("\n".join(line for line in lines if line is not None) if bound else source), bound


def names(source: str) -> tuple[set[str], set[str]]:
    """The names that a cell uses, and those that it binds for cells below.

    >>> uses, binds = names("client = connect(2)")
    >>> sorted(uses), sorted(binds)
    (['connect'], ['client'])
    """
    uses: set[str] = set()
    binds: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name):
            (uses if isinstance(node.ctx, ast.Load) else binds).add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            binds.add(node.name)
    return uses, binds


def shown(cell: dict[str, Any], language: str) -> list[dict[str, Any]]:
    """A code cell as texts: its code, and below it what it put out, folded where a reader is to
    predict it.
    """
    below = "\n\n".join(fenced("text", text) for text in outputs(cell))
    told = "predict" in cell["metadata"].get("tags", [])
    if told:
        below = f"{AFTERWARDS[language]}\n\n{below}"
    cells = [prose(cell["id"], fenced("python", cell["source"]))]
    return [*cells, prose(f"{cell['id']}-out", below, told=told)] if below else cells


def prose(name: str, source: str, *, told: bool = False) -> dict[str, Any]:
    """A cell of prose; one that tells what a reader is to predict is folded."""
    metadata = {"tags": ["told"], "jupyter": {"source_hidden": True}} if told else {}
    return {"cell_type": "markdown", "id": name, "metadata": metadata, "source": source}


def outputs(cell: dict[str, Any]) -> list[str]:
    """What a cell put out, as text. What is to be predicted is stored below a line of its own."""
    folded = "predict" in cell["metadata"].get("tags", [])
    texts = []
    for output in cell["outputs"]:
        if output["output_type"] == "error":
            texts.append(f"{output['ename']}: {output['evalue']}")
        else:
            text = output["text"] if "text" in output else output["data"]["text/plain"]
            texts.append(text.partition("\n")[2] if folded else text)
    return texts


def fenced(kind: str, text: str) -> str:
    return f"```{kind}\n{text.rstrip()}\n```"
