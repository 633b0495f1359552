"""Pages with running cells: the additions to a chapter's page if the site has a lab.

`make site LITE=place` names the lab's place, as it is seen from the site's front page. Each chapter
then leads to itself in the lab, and live.js makes an editor of a cell at a click, which the lab's
own Python runs. Without a place nothing here is used, and no page leads to what is not there.

Such a page has a policy: its scripts are those that were here when it was built, and what runs in
it reaches the site and the address of Pyodide, and nothing else.
"""

from __future__ import annotations

import html
import json

from ..exercises.exercise import Words
from ..lab.language import Language
from .programs import digests

PYODIDE = "https://cdn.jsdelivr.net/pyodide/"
"""Where the lab's Python comes from where it is not in the lab itself."""

SITE = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
}
"""The policy of a page: files of the site, and the scripts that it was built with. Matplotlib's
pictures have styles in each line."""

POLICY = SITE | {
    "script-src": f"'self' blob: 'wasm-unsafe-eval' {PYODIDE}",
    "img-src": "'self' data: blob:",
    "connect-src": f"'self' {PYODIDE}",
    "worker-src": "blob:",
    "frame-src": "'self'",
}
"""The same where cells run."""

START = """<script type="module">
if (location.protocol !== "file:") import("./_static/live.js");
else document.querySelector(".lesson").remove(); // a lab needs a server
</script>"""

LESSON = Words("Run this lesson", "运行本章")
ABOUT = Words("in this browser, as a notebook", "在这个浏览器里，以笔记本的形式")
OWN = Words("Step a program of your own", "逐步看你自己的程序")

SAID = {
    "hint": Words(
        "Or stay here: click a piece of code to change it, and run it in its place.",
        "也可以留在这里：点一下代码就能修改，并在原处运行。",
    ),
    "run": Words("Run", "运行"),
    "change": Words("Change", "修改"),
    "back": Words("Put back as it was", "恢复原样"),
    "check": Words("Check the cell above", "检查上面的单元格"),
    "stop": Words("Stop", "停止"),
    "anew": Words("Start anew", "重新开始"),
    "before": Words(
        "First the cells above: {} of {}.",
        "先运行上面的单元格：第 {} 个，共 {} 个。",
    ),
    "running": Words("Running.", "正在运行。"),
    "done": Words("Done. Nothing has left this tab.", "运行完毕。没有任何内容离开这个标签页。"),
    "raised": Words("It raised an error.", "出现了错误。"),
    "above": Words(
        "A cell above raised an error, so this one was not run.",
        "上面有一个单元格出错，所以这个单元格没有运行。",
    ),
    "ready": Words("Python is ready.", "Python 已就绪。"),
    "stopped": Words(
        "Stopped. What Python knew is lost: the next cell you run starts it again, and runs the "
        "cells above first.",
        "已停止。Python 记住的内容都没有了：再运行一个单元格时会重新启动它，并先运行上面的单元格。",
    ),
    "absent": Words(
        "This cell needs what a browser tab does not have. Its output here is from a computer.",
        "这个单元格需要浏览器标签页里没有的东西。这里的输出来自电脑。",
    ),
    "unreachable": Words(
        "The lab does not answer: {}. Is there a connection?",
        "实验室没有应答：{}。网络是否连通？",
    ),
    "forgets": Words(
        "This window keeps nothing: a reload forgets what you have changed.",
        "这个窗口不保存任何内容：刷新之后，你的修改就没有了。",
    ),
    "editor": Words(
        "Code of cell {}. Escape, then Tab leaves it.",
        "单元格 {} 的代码。按 Escape 再按 Tab 可离开。",
    ),
    "output": Words("Output", "输出"),
}
"""The sentences of live.js."""


def seen_from_a_chapter(lab: str) -> str:
    """The lab's place, which is given as it is seen from the front page.

    >>> seen_from_a_chapter("../lite"), seen_from_a_chapter("/lab/")
    ('../../lite/', '/lab/')
    """
    place = lab.rstrip("/") + "/"
    return place if place.startswith("/") else f"../{place}"


def lesson(lab: str, language: Language, name: str) -> str:
    """The address of a chapter in the lab."""
    return f"{seen_from_a_chapter(lab)}lab/index.html?path={language}/{name}.ipynb"


def bar(lab: str, language: Language, name: str) -> str:
    """Return the line above a chapter, with the link to the lab; live.js adds its hint."""
    address = html.escape(lesson(lab, language, name))
    words, about = LESSON.text(language), ABOUT.text(language)
    own = f'<a class="own" href="../try/index.html?lang={language}">{OWN.text(language)}</a>'
    return f'<p class="lesson"><a href="{address}">{words}</a> <span>{about}</span> {own}</p>'


def program(lab: str, language: Language, name: str) -> str:
    """Return the settings of live.js, and live.js."""
    told = {
        "lab": seen_from_a_chapter(lab),
        "language": language,
        "name": name,
        "said": {key: words.text(language) for key, words in SAID.items()},
    }
    data = json.dumps(told, ensure_ascii=False).replace("</", "<\\/")
    data = f'<script type="application/json" id="live">{data}</script>'
    return f"{data}\n{START}"


def with_policy(page: str, has_lab: bool) -> str:
    """Return a page that begins with its policy; `has_lab`: its cells run."""
    kinds = dict(POLICY if has_lab else SITE)
    kinds["script-src"] = " ".join([kinds["script-src"], *digests(page)])
    rules = f'<meta http-equiv="Content-Security-Policy" content="{content(kinds)}">'
    return page.replace("<head>", f"<head>\n{rules}", 1)


def content(kinds: dict[str, str]) -> str:
    """Return a policy as a page contains it.

    >>> content({"default-src": "'none'", "img-src": "data:"})
    "default-src 'none'; img-src data:"
    """
    return "; ".join(f"{kind} {allowed}" for kind, allowed in kinds.items())
