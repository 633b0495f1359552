"""Write the owner of the repository into all files: `make publish OWNER=name`.

Before that, no link leads to a page of the repository. The command can be repeated; another name
replaces the first. It prints the steps that only the owner can take.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from minigrad_lessons.site import links

ROOT = Path(__file__).parents[1]
NAME = "minigrad"
OWNER = re.compile(r"(?!owner$)[a-z\d](?:-?[a-z\d]){0,38}", re.I)
"""Names that GitHub allows for an account, except the placeholder "owner"."""

BLOCK = re.compile(r"(?<=# published\n).*?(?=# /published$)", re.S | re.M)

BLOCKS = {
    "pyproject.toml": """\
[project.urls]
Repository = "https://github.com/{repository}"
Homepage = "https://{owner}.github.io/{name}/"
""",
    "CITATION.cff": """\
repository-code: https://github.com/{repository}
url: https://{owner}.github.io/{name}/
""",
    "recipe/recipe.yaml": """\
  homepage: https://{owner}.github.io/{name}/
  repository: https://github.com/{repository}
""",
    ".github/ISSUE_TEMPLATE/config.yml": """\
contact_links:
  - name: A security hole · 安全漏洞
    url: https://github.com/{repository}/security/advisories/new
    about: Report it privately · 请私下报告
""",
}
"""The text between the two marks of each file."""

NEXT = """\
The repository is now {repository}. Next steps, in this order:

 1. Look at `git diff`, run `make test` and `make rehearse`, commit.
 2. Make an empty repository {name} at https://github.com/new, and push the branch main to it.
 3. Settings, Pages: choose "GitHub Actions" as the source. The site is built at the next push:
    https://{owner}.github.io/{name}/
 4. Settings, Code security: enable private vulnerability reporting, which SECURITY.md describes.
 5. Settings, Branches: protect main, and require the workflow "checks".
 6. Settings, Environments: add `pypi`, with yourself as a required reviewer.
 7. https://pypi.org/manage/account/publishing/: add a pending publisher for the project
    minigrad-lab, owner {owner}, repository {name}, workflow publish.yml, environment pypi.
 8. Open one lesson of the README on Binder and one on Colab, and try a stepper.
 9. Rename "Unreleased" in the changelog to the version, then: git tag v{version} && git push --tags
"""


def publish(owner: str) -> None:
    """Write the owner into every file that names one."""
    repository = f"{owner}/{NAME}"
    for file, block in BLOCKS.items():
        path = ROOT / file
        filled = block.format(owner=owner, name=NAME, repository=repository)
        text, times = BLOCK.subn(lambda _, filled=filled: filled, path.read_text("utf-8"))  # type: ignore[misc]
        assert times == 1, f"{file} has no place for the owner"
        path.write_text(text, encoding="utf-8")
    links.main([])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="make publish", usage="make publish OWNER=name")
    parser.add_argument("owner")
    owner = parser.parse_args(arguments).owner
    if not OWNER.fullmatch(owner):
        print(f"{owner!r} is not a valid GitHub account; make publish OWNER=name", file=sys.stderr)
        return 2
    publish(owner)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    steps = NEXT.format(owner=owner, name=NAME, repository=f"{owner}/{NAME}", version=version)
    print(steps, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
