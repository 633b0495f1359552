"""Settings of Sphinx. `make site` writes the sources into build/sources and builds each language.

minigrad_lessons/site/sources.py says how the chapters, these documents, the glossary and the
reference become one tree. `-D language=zh_CN` builds the Chinese one.
"""

import gc
from importlib import metadata

from minigrad_lessons.site.links import BRANCH, repository

# Pages stay in memory to the end: to search them for cycles again and again took a third of the
# time.
gc.set_threshold(200_000, 50, 100)

project = "minigrad"
version = release = metadata.version("minigrad-lab")
author = "minigrad contributors"
project_copyright = "minigrad contributors"
language = "en"
root_doc = "index"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.intersphinx",
    "sphinx_copybutton",
    "sphinx_design",
    "minigrad_lessons.site.extension",
]

# The notebooks have their outputs; nothing runs while Sphinx builds.
nb_execution_mode = "off"
nb_merge_streams = True
nb_output_stderr = "show"
myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
myst_footnote_transition = False

autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {
    "members": True,
    "undoc-members": True,
    # Attributes of layers by which they find their function and their shapes.
    "exclude-members": "function, rank, ranks, cls_to_become",
}
napoleon_numpy_docstring = False
add_module_names = False
# No inventory of another project is needed to build; ours is objects.inv.
intersphinx_mapping = {}

copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_exclude = ".linenos, .gp, .go"

html_theme = "sphinx_book_theme"
html_title = "minigrad"
html_show_sphinx = False
html_copy_source = False
html_use_index = False  # the search finds its entries, too
html_domain_indices = False
html_show_sourcelink = False
html_theme_options = {
    "use_fullscreen_button": True,
    "use_download_button": False,
    "navbar_persistent": [],
    "show_navbar_depth": 1,
    "show_toc_level": 2,
    "article_header_end": ["language.html", "article-header-buttons.html"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
html_context = {"default_mode": "auto"}
html_math_renderer = "mathml"
templates_path = ["_templates"]
html_static_path = [
    f"../lessons/minigrad_lessons/site/{name}" for name in ("site.css", "live.css", "live.js")
]
html_css_files = [(name, {"priority": 900}) for name in ("site.css", "live.css")]

if owner := repository():
    html_theme_options |= {
        "repository_url": f"https://github.com/{owner}",
        "repository_branch": BRANCH,
        "use_repository_button": True,
    }

epub_basename = "minigrad"
epub_show_urls = "no"
epub_cover = ()
# GitHub draws what Pygments has no lexer for, such as mermaid; it is shown as text here.
suppress_warnings = [
    "epub.unknown_project_files",
    "epub.duplicated_toc_entry",
    "misc.highlighting_failure",
]
