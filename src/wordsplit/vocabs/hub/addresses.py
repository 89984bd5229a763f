"""URL checks: which URLs are allowed, which origin gets the token, and how URLs appear in messages."""

from __future__ import annotations

import re

from wordsplit.errors import DownloadError

__all__ = ["check_address", "origin", "shown"]

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1", "[::1]"})


def check_address(url: str, first: str) -> None:
    """Refuse URLs other than HTTPS. HTTP is allowed for this machine itself, but no redirect to it."""
    scheme, host, _ = origin(url)
    loopback = host in _LOOPBACK
    if scheme == "https" or (scheme == "http" and loopback):
        if loopback and origin(first)[1] not in _LOOPBACK:
            raise DownloadError(f"{shown(first)}: redirects to this machine ({shown(url)})")
        return
    raise DownloadError(f"{shown(url)}: only https:// is fetched (http:// from this machine itself)")


def origin(url: str) -> tuple[str, str, int]:
    """Return scheme, host and port, from the parser that also makes the connection, so that they agree."""
    from urllib3.exceptions import LocationParseError  # noqa: PLC0415 - as for requests
    from urllib3.util import parse_url  # noqa: PLC0415 - as above

    try:
        parsed = parse_url(url)
    except LocationParseError:
        raise DownloadError(f"{url!r:.200} is not a URL") from None
    if parsed.auth is not None:
        raise DownloadError(f"{shown(url)}: holds a user name; give a token in HF_TOKEN")
    scheme, host = parsed.scheme or "", (parsed.host or "").lower()
    return scheme, host, parsed.port or {"https": 443, "http": 80}.get(scheme, 0)


def shown(url: str) -> str:
    """Return a URL for a message, without passwords and without the query, which may be a signature."""
    return re.sub(r"//[^/@]*@", "//…@", url.partition("?")[0])[:300]
