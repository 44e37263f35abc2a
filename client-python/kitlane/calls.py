"""What the calls of `resources.py` are made of."""

from __future__ import annotations

import time
from typing import Any, Callable, Dict, Mapping, Optional, TypedDict, Union
from urllib.parse import quote

from .pages import Pages
from .transport import Answer, Transport

FIRST_SECONDS = 0.25
MOST_SECONDS = 5.0
OPEN = {"pending", "queued", "processing"}


class Read(TypedDict, total=False):
    """What one call may say for itself; the rest is as the client was told."""

    timeout: float
    max_retries: int
    headers: Dict[str, str]


class Write(Read, total=False):
    """What one call that changes something may say for itself."""

    idempotency_key: str
    """The same key with the same request does its work once, for 24 hours. Made by itself otherwise."""


class Calls:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def json(self, method: str, path: str, query: Mapping[str, Any], options: Mapping[str, Any], body: Any = None) -> Any:
        return self._transport.send(method, path, query=query, body=body, **options).json()

    def file(self, path: str, query: Mapping[str, Any], options: Mapping[str, Any]) -> bytes:
        return self._transport.send("GET", path, query=query, **options).content

    def pages(self, path: str, query: Mapping[str, Any], options: Mapping[str, Any]) -> Pages[Any, Any]:
        return Pages(self._reader(path, options), query, is_feed=False)

    def feed(self, path: str, query: Mapping[str, Any], options: Mapping[str, Any]) -> Pages[Any, Any]:
        return Pages(self._reader(path, options), query, is_feed=True)

    def _reader(self, path: str, options: Mapping[str, Any]) -> Callable[[Mapping[str, Any]], Answer]:
        return lambda query: self._transport.send("GET", path, query=query, **options)

    def wait_for(self, path: str, on_progress: Optional[Callable[[Any], Any]], within: Optional[float]) -> Any:
        """Reads a job until it has ended, at first often and then every five seconds. Raises `TimeoutError` after `within` seconds."""
        begun = time.monotonic()
        pause = FIRST_SECONDS
        while True:
            job = self._transport.send("GET", path).json()
            if on_progress:
                on_progress(job)
            if job["status"] not in OPEN:
                return job
            if within is not None and time.monotonic() - begun + pause > within:
                raise TimeoutError(f"The job has not ended within {within:g} s. It goes on.")
            time.sleep(pause)
            pause = min(MOST_SECONDS, pause * 1.5)


def segment(name: str, value: Union[str, int]) -> str:
    """A value in a path. An empty one, or dots, would make another address: that of the list, or one above it."""
    text = str(value) if isinstance(value, (str, int)) else ""
    if text in ("", ".", ".."):
        raise ValueError(f"{name} is missing")
    return quote(text, safe="")
