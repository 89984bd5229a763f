"""Addresses: which may be asked, who gets the token, and how they look in messages."""

from __future__ import annotations

import re

from wordsplit.errors import DownloadError

__all__ = ["check_address", "origin", "shown"]

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1", "[::1]"})


def check_address(url: str, first: str) -> None:
    """Refuse what is not HTTPS; the machine itself may be asked in the clear, but no stranger may send us there."""
    scheme, host, _ = origin(url)
    loopback = host in _LOOPBACK
    if scheme == "https" or (scheme == "http" and loopback):
        if loopback and origin(first)[1] not in _LOOPBACK:
            raise DownloadError(f"{shown(first)}: redirects to this machine ({shown(url)})")
        return
    raise DownloadError(f"{shown(url)}: only https:// is fetched (http:// from this machine itself)")


def origin(url: str) -> tuple[str, str, int]:
    """Scheme, host and port, read by the parser that makes the connection, so that nothing can come between."""
    from urllib3.exceptions import LocationParseError  # noqa: PLC0415 - as for requests
    from urllib3.util import parse_url  # noqa: PLC0415 - as above

    try:
        parsed = parse_url(url)
    except LocationParseError:
        raise DownloadError(f"{url!r:.200} is no URL") from None
    if parsed.auth is not None:
        raise DownloadError(f"{shown(url)}: holds a user name; give a token in HF_TOKEN")
    scheme, host = parsed.scheme or "", (parsed.host or "").lower()
    return scheme, host, parsed.port or {"https": 443, "http": 80}.get(scheme, 0)


def shown(url: str) -> str:
    """A URL for a message: without passwords, and without a query, which may be a signature."""
    return re.sub(r"//[^/@]*@", "//…@", url.partition("?")[0])[:300]
