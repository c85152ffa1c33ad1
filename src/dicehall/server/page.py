"""The built page, held in memory: plain, gzip and brotli, as the build wrote them."""

from __future__ import annotations

import hashlib
import mimetypes
from pathlib import Path
from typing import Final, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

ENCODINGS: Final = {"br": ".br", "gzip": ".gz"}  # the smaller one first
FOREVER: Final = "public, max-age=31536000, immutable"  # names under assets/ change with their content
NOT_BUILT: Final = (
    "The hall is open, but its page is not built: a released wheel or sdist has it, and `make page` in a checkout "
    "builds it; `dicehall play` needs none."
)


class File(NamedTuple):
    bodies: dict[str, bytes]  # by encoding; "" is plain
    headers: dict[str, str]


class Page:
    """An ASGI application for the files of a folder."""

    def __init__(self, folder: Path) -> None:
        packed = tuple(ENCODINGS.values())
        paths = [path for path in folder.rglob("*") if path.is_file() and path.suffix not in packed]
        self._files = {
            path.relative_to(folder).as_posix(): _file(path, folder) for path in paths if path.name[0] != "."
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._answer(Request(scope))(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            raise HTTPException(405, "a page is read, not written", {"allow": "GET, HEAD"})
        name = request.url.path.lstrip("/") or "index.html"
        file = self._files.get(name)
        if file is None:
            if self._files or name != "index.html":
                raise HTTPException(404, "there is no such page")
            return PlainTextResponse(f"{NOT_BUILT}\n")
        if request.headers.get("if-none-match") == file.headers["etag"]:
            return Response(status_code=304, headers=file.headers)
        accepted = {part.partition(";")[0].strip() for part in request.headers.get("accept-encoding", "").split(",")}
        encoding = next((one for one in ENCODINGS if one in accepted and one in file.bodies), "")
        response = Response(file.bodies[encoding], headers=file.headers)
        if encoding:
            response.headers["content-encoding"] = encoding
        return response


def _file(path: Path, folder: Path) -> File:
    body = path.read_bytes()
    bodies = {"": body}
    for encoding, suffix in ENCODINGS.items():
        packed = path.with_name(path.name + suffix)
        if packed.exists():
            bodies[encoding] = packed.read_bytes()
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    headers = {
        "content-type": f"{kind}; charset=utf-8" if kind.startswith("text/") else kind,
        "cache-control": FOREVER if path.parent == folder / "assets" else "no-cache",
        "etag": f'"{hashlib.sha256(body).hexdigest()[:32]}"',
        "vary": "accept-encoding",
    }
    return File(bodies, headers)
