"""Content security policy: a saved page may use its own scripts and style sheets, nothing else.

What a page shows comes from anywhere: names, lines of code, errors. It is escaped where it is
written. Should something get through nevertheless, the browser neither runs nor fetches it: the
page's policy lets in a script or a style sheet whose digest it names, and no address.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterable


def digest(text: str) -> str:
    """Return the name of a script or a style sheet with this text in a policy.

    >>> digest("")
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    sha256 = hashlib.sha256(text.encode(errors="replace")).digest()
    return f"'sha256-{base64.b64encode(sha256).decode()}'"


def policy(
    *, scripts: Iterable[str] = (), styles: Iterable[str] = (), images: Iterable[str] = ()
) -> str:
    """The element that says it, to stand in a page before all that it is about. What is let in is
    named as policies name it: a `digest`, or "data:" of pictures that are in the page.

    >>> print(policy(images=["data:"]).partition("content=")[2])
    "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'">
    """
    named = {"script-src": scripts, "style-src": styles, "img-src": images}
    let_in = [f"{kind} {' '.join(dict.fromkeys(each))}" for kind, each in named.items() if each]
    # These two are not among what the first one means.
    rules = ["default-src 'none'", *let_in, "base-uri 'none'", "form-action 'none'"]
    content = html.escape("; ".join(rules), quote=False)
    return f'<meta http-equiv="Content-Security-Policy" content="{content}">'
