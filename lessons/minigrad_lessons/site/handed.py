"""The page that opens a program, from a link or pasted, in the folder `try` of the site.

It is one page for both languages, so that a link is the same for everybody. The lab runs the
program, so a site has this page where it has a lab (live.py).
"""

from __future__ import annotations

import json
from pathlib import Path
from string import Template

from minigrad_viz.stepper.page import MODULE

from ..lab.language import Language
from . import live

PARTS = Path(__file__).parent / "try"

UNUSED = "frame-src", "font-src"
POLICY = {kind: allowed for kind, allowed in live.POLICY.items() if kind not in UNUSED} | {
    "img-src": "data:",
    "form-action": "'none'",
}
"""Content security policy of the page and its worker: as for pages with cells, without frames."""

EXAMPLE = """\
import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
x = torch.tensor([3.0, -1.0])
loss = ((w * x).sum() - 2) ** 2
loss.backward()
print(w.grad)
"""

SAID: dict[Language, dict[str, str]] = {
    "en": {
        "course": "See gradients happen",
        "title": "Step a program",
        "about": "Write or paste a program of minigrad or PyTorch. Its first backward() is shown "
        "step by step. If it fails, you see where, why, and what helps.",
        "came": "This program came with the link, and nothing of it has run. Read it. If you run "
        "it, it runs in this tab alone and can reach neither the network nor your notebooks.",
        "editor": "Program",
        "run": "Run and step",
        "stop": "Stop",
        "share": "Link to this program",
        "address": "The link",
        "copied": "The link is in the clipboard: {} characters. The program is all in it, and on "
        "no server.",
        "linked": "This is the link, {} characters. The program is all in it, and on no server.",
        "large": "The program is too large for a link.",
        "damaged": "The link is damaged, or not all of it has arrived: it holds no program.",
        "starting": "Python is being loaded, once for this page.",
        "running": "Running.",
        "done": "Done, after {} s.",
        "nothing": "The program has shown nothing: it prints nothing and calls no backward().",
        "failed": "Python could not run this.",
        "nolab": "Python is not here: the lab does not lie where this site looks for it.",
        "theme": "Light or dark",
        "example": EXAMPLE,
    },
    "zh": {
        "course": "看见梯度",
        "title": "逐步看一个程序",
        "about": "写下或粘贴一个 minigrad 或 PyTorch 程序，它的第一次 backward() 会逐步展示。"
        "如果程序出错，这里会说明错在哪里、为什么、怎么办。",
        "came": "这个程序来自链接，还没有运行过任何一行。请先读一读。"
        "如果运行，它只在这个标签页里运行，既不能联网，也读不到你的笔记本。",
        "editor": "程序",
        "run": "运行并逐步展示",
        "stop": "停止",
        "share": "生成这个程序的链接",
        "address": "链接",
        "copied": "链接已复制到剪贴板，共 {} 个字符。程序全在链接里，没有存到任何服务器。",
        "linked": "这就是链接，共 {} 个字符。程序全在链接里，没有存到任何服务器。",
        "large": "程序太长，放不进链接。",
        "damaged": "链接已损坏或不完整，里面没有程序。",
        "starting": "正在加载 Python，本页只需一次。",
        "running": "正在运行。",
        "done": "完成，用时 {} 秒。",
        "nothing": "程序没有可展示的内容：没有打印，也没有调用 backward()。",
        "failed": "Python 无法运行它。",
        "nolab": "这里没有 Python：实验室没有放在本站要找的地方。",
        "theme": "浅色或深色",
        "example": EXAMPLE,
    },
}


def page(lab: str) -> str:
    """The page itself. `lab` is the lab's place, as it is seen from the site's front page."""
    told = {"lab": live.seen_from_a_chapter(lab), "said": SAID}
    data = json.dumps(told, ensure_ascii=False).replace("</", "<\\/")
    template = Template((PARTS / "try.html").read_text(encoding="utf-8"))
    return template.substitute(policy=live.content(POLICY), told=data)


def files(lab: str) -> dict[str, str]:
    """The files of the folder, by their names."""
    names = "try.js", "link.js", "theme.js", "try.css"
    parts = {name: (PARTS / name).read_text("utf-8") for name in names}
    return {"index.html": page(lab), **parts, "stepper.js": MODULE}
