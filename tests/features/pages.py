"""Pages and pictures: well-formed, and of themselves alone."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

VOID = {"meta", "link", "br", "img", "input"}


class _Nesting(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.text = [], []

    def handle_starttag(self, tag, attrs):
        assert tag not in {"script", "img", "link", "iframe"}
        assert not {"src", "href", "onclick", "onload"} & {name for name, _ in attrs}
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.text.append(data)


def text_of_page(html):
    """The text of a page, once it has been seen that its tags are nested and that it loads nothing."""
    assert not {"@import", "url("} & set(re.findall(r"@import|url\(", html.partition("</style>")[0]))
    parser = _Nesting()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return "".join(parser.text)


def text_of_picture(svg):
    """The same for SVG."""
    root = ET.fromstring(svg)  # noqa: S314 - our own
    assert not [tag for tag in root.iter() if any("href" in name for name in tag.attrib)]
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    return "".join(text for tag in root.iter() if tag.tag.endswith("text") for text in tag.itertext())
