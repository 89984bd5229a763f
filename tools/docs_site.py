"""Adapt the pages of the repository for the site: a hook of MkDocs, named in mkdocs.yml.

The pages are written to read well in the repository. For the site, README.md becomes the home page, links that leave
``docs/`` point to the repository on the web, diagrams are put into the page so that they follow its colours, and
examples at the Python prompt are highlighted as such. A page that would load something from the network is an error.
"""

from __future__ import annotations

import html
import pathlib
import posixpath
import re
from typing import TYPE_CHECKING

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPOSITORY = "https://github.com/wordsplit/wordsplit/blob/main/"
# Pages outside docs/: their place in the repository and on the site.
ROOT_PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
}
_FENCED = re.compile(r"^([ ]*```).*?^\1[ ]*$", re.MULTILINE | re.DOTALL)
_PROMPT = re.compile(r"^([ ]*```)python\n(?=[ ]*>>> )", re.MULTILINE)
_LINK = re.compile(r"\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)")
_LOADED = re.compile(r"<(?:script|img|iframe|source|link)\b[^>]*\b(?:src|href)=\"(?:https?:)?//[^>]*>")
_DIAGRAM = re.compile(r"^!\[([^]]*)\]\((images/[\w-]+\.svg)\)$", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that stand outside docs/."""
    for source, target in ROOT_PAGES.items():
        files.append(File.generated(config, target, content=(ROOT / source).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 - MkDocs' call
    """Rewrite links, diagrams and the language of examples."""
    site = page.file.src_uri
    source = next((path for path, target in ROOT_PAGES.items() if target == site), f"docs/{site}")
    markdown = _DIAGRAM.sub(_inlined, markdown)
    out, end = [], 0
    for fenced in _FENCED.finditer(markdown):
        out += [_relinked(markdown[end : fenced.start()], source, site), _PROMPT.sub(r"\1pycon\n", fenced[0])]
        end = fenced.end()
    return "".join([*out, _relinked(markdown[end:], source, site)])


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:  # noqa: ARG001 - MkDocs' call
    """Refuse a page that loads anything from the network."""
    found = _LOADED.search(output)
    if found:
        raise PluginError(f"{page.file.src_uri} loads from the network: {found[0]}")
    return output


def _relinked(text: str, source: str, site: str) -> str:
    """A part of a page with its links as the site needs them."""

    def target_of(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), link[1]))
        if path in ROOT_PAGES or path.startswith("docs/"):
            target = ROOT_PAGES.get(path) or path.removeprefix("docs/")
            return f"]({posixpath.relpath(target, posixpath.dirname(site) or '.')}{link[2] or ''})"
        if not (ROOT / path).exists():
            raise PluginError(f"{source} links to {link[1]}, which does not exist")
        return f"]({REPOSITORY}{path}{link[2] or ''})"

    return _LINK.sub(target_of, text)


def _inlined(image: re.Match[str]) -> str:
    """A diagram as part of the page."""
    svg = (ROOT / "docs" / image[2]).read_text(encoding="utf-8")
    return f'<figure class="diagram" role="img" aria-label="{html.escape(image[1])}">\n{svg.strip()}\n</figure>'
