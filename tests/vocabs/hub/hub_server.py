"""A web server on the loopback that stands for the hub, for its blob store, and for a mirror."""

import contextlib
import hashlib
import http.server
import json
import re
import threading
import urllib.parse

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def sha256(data):
    return hashlib.sha256(data).hexdigest()


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        """Clients that hang up are part of the tests."""


class Hub:
    """The server, what it has, and what it was asked for.

    ``repos``: repository -> file -> content. ``blobs``: sha256 -> content, as a mirror has it.
    ``hooks``: part of a path -> function of the handler, which answers in place of the server, unless it gives False.
    """

    def __init__(self):
        self.repos, self.blobs, self.hooks, self.requests = {}, {}, {}, []
        self.commit = COMMIT
        self.ignore_range = False
        self.sent = 0
        self._lock = threading.Lock()
        hub = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args):
                pass

            def do_GET(self):
                with hub._lock:
                    hub.requests.append((self.path, dict(self.headers)))
                with contextlib.suppress(ConnectionError):
                    hub.answer(self)

        self._server = _Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def paths(self, part=""):
        """What was asked for, as far as it has the part."""
        return [path for path, _ in self.requests if part in path]

    def headers(self, part):
        """The headers of the last request for it."""
        return [headers for path, headers in self.requests if part in path][-1]

    def answer(self, handler):
        path = urllib.parse.unquote(handler.path.partition("?")[0])
        for part, hook in self.hooks.items():
            if part in path and hook(handler) is not False:
                return
        if match := re.fullmatch(r"/api/models/([^/]+/[^/]+)/revision/(.+)", path):
            files = self.repos.get(match[1])
            if files is None or match[2] not in ("main", self.commit):
                reply(handler, 404)
                return
            siblings = [{"rfilename": name, "size": len(data)} for name, data in files.items()]
            reply(handler, 200, json.dumps({"sha": self.commit, "siblings": siblings}).encode())
        elif match := re.fullmatch(r"/([^/]+/[^/]+)/resolve/([^/]+)/(.+)", path):
            self.content(handler, self.repos.get(match[1], {}).get(match[3]))
        elif match := re.fullmatch(r"/blobs/([0-9a-f]{64})", path):
            self.content(handler, self.blobs.get(match[1]))
        else:
            reply(handler, 404)

    def content(self, handler, data):
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", handler.headers.get("Range", ""))
        if data is None:
            reply(handler, 404)
        elif asked and not self.ignore_range:
            first = int(asked[1])
            part = data[first : int(asked[2]) + 1 if asked[2] else None]
            if not part:
                reply(handler, 416)
            else:
                last = first + len(part) - 1
                reply(handler, 206, part, {"Content-Range": f"bytes {first}-{last}/{len(data)}"}, count=self)
        else:
            reply(handler, 200, data, count=self)


def reply(handler, status, body=b"", headers=None, *, length=None, count=None):
    """Answer; ``length``: what Content-Length says against the truth."""
    handler.send_response(status)
    for name, value in (headers or {}).items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(body) if length is None else length))
    handler.end_headers()
    for at in range(0, len(body), 1 << 16):
        handler.wfile.write(body[at : at + (1 << 16)])
        if count is not None:
            count.sent += len(body[at : at + (1 << 16)])
    if length is not None:
        handler.close_connection = True


def redirect(to, status=302):
    """A hook that sends the client elsewhere."""
    return lambda handler: reply(handler, status, headers={"Location": to})
