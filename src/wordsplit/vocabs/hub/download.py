"""Download bytes from a URL: the default fetcher, over HTTP.

>>> from wordsplit.vocabs.hub.download import MissingFileError
>>> def from_a_dict(url, *, start=0, size=None):
...     '''A fetcher: files that a program has by other means.'''
...     files = {"https://example.org/a": b"hello world"}
...     if url not in files:
...         raise MissingFileError(url)
...     yield files[url][start : None if size is None else start + size]
>>> b"".join(from_a_dict("https://example.org/a", start=6))
b'world'
"""

from __future__ import annotations

import re
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from wordsplit.errors import DownloadError
from wordsplit.vocabs.hub import names as hub
from wordsplit.vocabs.hub.addresses import check_address, origin, shown

if TYPE_CHECKING:
    import requests

__all__ = ["HttpFetcher", "MissingFileError", "TransientError", "part"]

MAX_REDIRECTS = 5
_CHUNK = 1 << 16
_TRANSIENT = frozenset({408, 429})


class MissingFileError(DownloadError):
    """The file does not exist."""


class TransientError(DownloadError):
    """A download that may succeed if it is retried.

    Attributes:
        after: Seconds to wait, if the server named them.
        unreachable: Whether there was no connection at all: an unknown host, or a refused connection.
    """

    after: float | None = None
    unreachable: bool = False


@dataclass(frozen=True, kw_only=True)
class HttpFetcher:
    """Fetch over HTTPS; over plain HTTP only from this machine itself (127.0.0.1, localhost, ::1).

    Proxies and certificates are those that the environment names (``HTTPS_PROXY``, ``NO_PROXY``,
    ``REQUESTS_CA_BUNDLE``, …). At most five redirects are followed, under the same rules.

    Attributes:
        endpoint: The one address (scheme, host and port) that the token is sent to.
        token: The hub's token.
        connect_timeout: Seconds to wait for a connection.
        read_timeout: Seconds to wait for the next byte.
        window: The time in seconds over which ``min_rate`` is measured.
        min_rate: The least number of bytes per second in each window, so that a server cannot be endlessly slow.
        deadline: Seconds after which a download fails in any case.
    """

    endpoint: str = field(default_factory=hub.endpoint)
    token: str | None = field(default_factory=hub.token, repr=False)
    connect_timeout: float = 10.0
    read_timeout: float = 30.0
    window: float = 30.0
    min_rate: float = 1024.0
    deadline: float = 3600.0

    def __call__(self, url: str, *, start: int = 0, size: int | None = None) -> Iterator[bytes]:
        """See `Fetcher`. If a server ignores the range, the content is read only up to the range's end."""
        import requests  # noqa: PLC0415 - 60 ms that only downloads need
        from urllib3.exceptions import HTTPError  # noqa: PLC0415 - as above

        headers = {"User-Agent": "wordsplit", "Accept-Encoding": "gzip"}
        ranged = start > 0 or size is not None
        if ranged:  # the range must count unencoded bytes
            end = "" if size is None else start + size - 1
            headers |= {"Range": f"bytes={start}-{end}", "Accept-Encoding": "identity"}
        try:
            with requests.Session() as session, self._open(session, url, headers) as response:
                if ranged and response.status_code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                    return  # the file ends before the range
                skip = _skip(response, url, start)
                yield from part(self._body(response, url), skip, size)
        except requests.exceptions.SSLError as error:
            raise DownloadError(
                f"{shown(url)}: the server's certificate is not trusted ({_brief(error)}); REQUESTS_CA_BUNDLE names "
                "a file of certificates to trust"
            ) from None
        except (requests.ConnectionError, requests.Timeout, HTTPError) as error:
            raise _failure(error, url) from None
        except requests.RequestException as error:
            raise DownloadError(
                f"{shown(url)}: {_brief(error)}. Check HF_ENDPOINT, and the proxies that HTTPS_PROXY and the like name"
            ) from None

    def _open(self, session: requests.Session, url: str, headers: Mapping[str, str]) -> requests.Response:
        """Return the reply to a request, after redirects."""
        # By default, requests reads a redirect's whole body, however large, before it follows it.
        session.get_redirect_target = lambda resp: None  # type: ignore[method-assign]  # noqa: ARG005
        first = here = url
        for _ in range(MAX_REDIRECTS + 1):
            check_address(here, first)
            response = session.get(
                here,
                headers=dict(headers),
                stream=True,
                allow_redirects=False,
                timeout=(self.connect_timeout, self.read_timeout),
                auth=self._auth(here),
            )
            if not response.is_redirect:
                return response
            response.close()
            here = _joined(here, response.headers["Location"])
        raise DownloadError(f"{shown(first)}: more than {MAX_REDIRECTS} redirects, the last to {shown(here)}")

    def _auth(self, url: str) -> Any:
        """Add the token for its origin only. Also keeps ``requests`` from sending passwords of .netrc."""
        token = self.token if origin(url) == origin(self.endpoint) else None

        def sign(request: requests.PreparedRequest) -> requests.PreparedRequest:
            if token:
                request.headers["Authorization"] = f"Bearer {token}"
            return request

        return sign

    def _body(self, response: requests.Response, url: str) -> Iterator[bytes]:
        """Yield the decoded content of a reply."""
        if response.status_code not in (HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT):
            raise self._refusal(response, url)
        encoding = response.headers.get("Content-Encoding", "identity").lower()
        if encoding == "identity":
            return self._wire(response, url)
        if encoding == "gzip":
            return _unzipped(self._wire(response, url), shown(url))
        raise DownloadError(f"{shown(url)}: is encoded as {encoding!r:.40}, which was not requested")

    def _wire(self, response: requests.Response, url: str) -> Iterator[bytes]:
        """Yield the raw content of a reply. It is an error if it comes too slowly or ends too early."""
        began = mark = time.monotonic()
        in_window = 0
        while chunk := response.raw.read1(_CHUNK, decode_content=False):
            yield chunk
            now = time.monotonic()
            in_window += len(chunk)
            if now - began > self.deadline:
                raise DownloadError(f"{shown(url)}: not done after {self.deadline:.0f} seconds")
            if now - mark > self.window:
                if in_window < self.window * self.min_rate:
                    raise TransientError(
                        f"{shown(url)}: {in_window} bytes in {now - mark:.0f} seconds, which is too slow"
                    )
                mark, in_window = now, 0
        length, came = response.headers.get("Content-Length", ""), response.raw.tell()
        if length.isdecimal() and came < int(length):
            raise TransientError(f"{shown(url)}: ended after {came} of {length} bytes")

    def _refusal(self, response: requests.Response, url: str) -> DownloadError:
        """Return the error for a reply without content."""
        status = response.status_code
        what = f"{shown(url)}: {status} {response.reason or ''}".rstrip()
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            sent = "a token was sent" if self.token else "no token was sent"
            return DownloadError(
                f"{what}. The repository is gated or private, or there is none ({sent}): accept its terms on its "
                "page, and give a token of yours in HF_TOKEN"
            )
        if status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
            return MissingFileError(what)
        if status in _TRANSIENT or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            again = TransientError(what)
            again.after = _seconds(response.headers.get("Retry-After", ""))
            return again
        return DownloadError(what)


def _joined(url: str, location: str) -> str:
    try:
        return urljoin(url, location)
    except ValueError:
        raise DownloadError(f"{shown(url)}: redirects to {location!r:.100}, which is not a URL") from None


def _skip(response: requests.Response, url: str, start: int) -> int:
    """Return how many bytes of the reply come before the requested ones."""
    if response.status_code != HTTPStatus.PARTIAL_CONTENT:
        return start
    found = response.headers.get("Content-Range", "")
    match = re.match(r"bytes (\d{1,19})-", found)
    if match is None or int(match[1]) != start or response.headers.get("Content-Encoding", "identity") != "identity":
        raise DownloadError(f"{shown(url)}: requested bytes from {start} on, received {found!r:.80}")
    return 0


def _unzipped(chunks: Iterable[bytes], label: str) -> Iterator[bytes]:
    """Decode gzip in pieces of bounded size, whatever the chunks expand to."""
    decoder = zlib.decompressobj(wbits=31)
    try:
        for chunk in chunks:
            rest = chunk
            while rest and not decoder.eof:
                if piece := decoder.decompress(rest, _CHUNK):
                    yield piece
                rest = decoder.unconsumed_tail
        while piece := decoder.decompress(decoder.unconsumed_tail, _CHUNK):
            yield piece
    except zlib.error as error:
        raise TransientError(f"{label}: is damaged gzip ({error})") from None
    if not decoder.eof:
        raise TransientError(f"{label}: its gzip encoding is cut short")


def part(chunks: Iterable[bytes], skip: int, size: int | None) -> Iterator[bytes]:
    """Yield at most ``size`` bytes of the chunks after the first ``skip`` bytes, without reading further."""
    left = size
    for chunk in chunks:
        part = chunk[skip:] if left is None else chunk[skip : skip + left]
        skip = max(0, skip - len(chunk))
        if part:
            yield part
        if left is not None:
            left -= len(part)
            if left == 0:
                return


def _failure(error: Exception, url: str) -> TransientError:
    """Return the error for a connection that failed, broke off or timed out."""
    from urllib3.exceptions import NameResolutionError, NewConnectionError, ProxyError  # noqa: PLC0415 - as for requests

    reason = _reason(error)
    behind = getattr(reason, "original_error", None) if isinstance(reason, ProxyError) else reason
    if not isinstance(behind, NewConnectionError):
        return TransientError(f"{shown(url)}: {_brief(error)}")
    where = "the proxy" if behind is not reason else origin(url)[1]
    if isinstance(behind, NameResolutionError):
        why = "its name cannot be resolved"
    else:
        found = re.search(r"\[(?:Errno|WinError) -?\d+\] ([\w ]+)", str(behind))
        why = found[1].lower() if found else "no connection"
    failure = TransientError(
        f"{shown(url)}: {where} cannot be reached ({why}). Check the network and HTTPS_PROXY; without a network, "
        "vocabs load from the package, from files, and from the cache that `wordsplit prefetch` fills"
    )
    failure.unreachable = True
    return failure


def _reason(error: Exception) -> Any:
    """Return the cause of an error of the HTTP library."""
    cause: Any = error
    while cause.args and isinstance(cause.args[0], Exception):
        cause = cause.args[0]
    return getattr(cause, "reason", None) or cause


def _brief(error: Exception) -> str:
    """Summarize an error of the HTTP library, without its URL, which may hold a signature."""
    cause = _reason(error)
    text = re.sub(r"^.*?object at 0x[0-9a-f]+>: |\(Caused by.*|\S*//\S+", "", str(cause))
    return f"{type(cause).__name__}: {text[:200]}".rstrip(":. ")


def _seconds(text: str) -> float | None:
    """Parse Retry-After, in seconds."""
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None
