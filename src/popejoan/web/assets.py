"""The files of the page, sent as small as the browser can read them."""

from __future__ import annotations

import mimetypes
import os
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

__all__ = ["STATIC", "Assets", "beside", "page"]

STATIC: Final = Path(__file__).parent / "static"
_BESIDE: Final = frozenset({
    "sw.js", "manifest.webmanifest", "icon-192.png", "icon-512.png", "icon-maskable-512.png",
})  # fmt: skip
"""The files that lie beside the page under names of their own."""
# Python knows of it from 3.13 on.
mimetypes.add_type("image/webp", ".webp")
_CODINGS: Final = (("br", ".br"), ("gzip", ".gz"))


def _coded(path: Path, scope: Scope) -> tuple[Path, str | None]:
    """The smallest form of a file that the browser reads, and its coding."""
    accepted = Headers(scope=scope).get("accept-encoding", "")
    wanted = {part.partition(";")[0].strip() for part in accepted.split(",")}
    for coding, ending in _CODINGS:
        small = path.with_name(path.name + ending)
        if coding in wanted and small.is_file():
            return small, coding
    return path, None


def _with_coding(answer: Response, path: Path, coding: str | None) -> Response:
    answer.headers["vary"] = "accept-encoding"
    if coding is not None:
        answer.headers["content-encoding"] = coding
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        text = kind.startswith("text/") or kind.endswith("javascript")
        answer.headers["content-type"] = f"{kind}; charset=utf-8" if text else kind
    return answer


def page(scope: Scope) -> Response:
    """The page, which is asked for anew each time: it names the files that are kept."""
    index = STATIC / "index.html"
    if not index.is_file():
        return PlainTextResponse("The page has not been built: run `make page`.\n", 503)
    path, coding = _coded(index, scope)
    return _with_coding(FileResponse(path, headers={"cache-control": "no-cache"}), index, coding)


def beside(name: str, scope: Scope) -> Response | None:
    """A file that lies beside the page, asked for anew each time; None when there is none."""
    whole = STATIC / name
    if name not in _BESIDE or not whole.is_file():
        return None
    path, coding = _coded(whole, scope)
    kind = mimetypes.guess_type(name)[0] or "application/manifest+json"
    answer = FileResponse(path, media_type=kind, headers={"cache-control": "no-cache"})
    return _with_coding(answer, whole, coding)


class Assets(StaticFiles):
    """The files that the page names, each by its content and so kept for good."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """The file, to be kept for good."""
        whole = Path(full_path)
        path, coding = _coded(whole, scope)
        if coding is not None:
            stat_result = path.stat()
        answer = super().file_response(path, stat_result, scope, status_code)
        answer.headers["cache-control"] = "public, max-age=31536000, immutable"
        return _with_coding(answer, whole, coding)
