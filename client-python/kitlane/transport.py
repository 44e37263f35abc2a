"""Sends requests until they are answered, each write with one Idempotency-Key."""

from __future__ import annotations

import http.client
import json
import random
import re
import secrets
import socket
import time
from dataclasses import dataclass, field
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Dict, Mapping, Optional, Tuple, TypedDict
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from .errors import KitlaneError

MOST_SECONDS = 8.0
# Whoever is asked to wait longer than this hears of it instead.
MOST_ASKED_SECONDS = 60.0
PASSING = {429, 502, 503, 504}
PASSING_CODES = {"NO_ANSWER", "TIMED_OUT", "IDEMPOTENCY_CONFLICT"}
# These routes act for somebody who is not signed in yet, and know no keys: what may have been done is not sent again.
WITHOUT_KEY = re.compile(r"/api/v1/(sessions?|invitations|password-resets)(/|$)")


@dataclass
class SentRequest:
    """One try of a request, as hooks see it. `headers` may be changed before it is sent; they hold the token."""

    method: str
    url: str
    request_id: str
    attempt: int
    """1 for the first try."""
    headers: Dict[str, str] = field(repr=False)


@dataclass
class ReceivedAnswer:
    """What came of one try."""

    method: str
    url: str
    request_id: str
    attempt: int
    status: Optional[int]
    """None where no answer came."""
    duration: float
    """In seconds."""
    error: Optional[KitlaneError]
    retry_in: Optional[float]
    """In how many seconds it is sent again; None if this was the last try."""


@dataclass
class Answer:
    """An answer, read to its end."""

    status: int
    headers: Message
    """Without regard to case: `answer.headers["X-Total-Count"]`."""
    content: bytes

    def text(self) -> str:
        return self.content.decode()

    def json(self) -> Any:
        return json.loads(self.content) if self.content else None


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        """A redirect would take the token to another address."""


class Options(TypedDict, total=False):
    """How a client sends its requests."""

    max_retries: int
    """How often a request is sent again after its first try: 3 times."""
    retry_delay: float
    """The most before the second try, in seconds: 0.5. It doubles up to 8."""
    timeout: float
    """How long, in seconds, a try may wait for the connection or for more of the answer: 60."""
    headers: Mapping[str, str]
    """Sent with each request."""
    on_request: Optional[Callable[[SentRequest], Any]]
    """Sees every try before it is sent."""
    on_response: Optional[Callable[[ReceivedAnswer], Any]]
    """Sees what came of every try."""
    opener: Optional[OpenerDirector]
    """Sends the requests where an ordinary connection is not enough."""


class Transport:
    def __init__(self, base_url: str, authorization: str, options: Options) -> None:
        unknown = sorted(set(options) - set(Options.__annotations__))
        if unknown:
            raise TypeError(f"Kitlane() has no option {', '.join(unknown)}")
        own = {"User-Agent": "kitlane-python", "Accept": "*/*"}
        self._base_url = base_url
        self._headers = {**own, **(options.get("headers") or {}), "Authorization": authorization}
        self._max_retries = options.get("max_retries", 3)
        self._retry_delay = options.get("retry_delay", 0.5)
        self._timeout = options.get("timeout", 60.0)
        self._on_request = options.get("on_request")
        self._on_response = options.get("on_response")
        self._opener = options.get("opener") or build_opener(_NoRedirect)

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Answer:
        """Raises `KitlaneError` for what is no success."""
        is_read = method in ("GET", "HEAD")
        takes_key = not is_read and not WITHOUT_KEY.search(path)
        key = (idempotency_key or secrets.token_hex(16)) if takes_key else None
        request_id = secrets.token_hex(16)
        url = self._base_url + path + _query(query or {})
        data = None if body is None else json.dumps(body).encode()
        all_headers = {**self._headers, **(headers or {}), "X-Request-Id": request_id}
        if data is not None:
            all_headers["Content-Type"] = "application/json"
        if key is not None:
            all_headers["Idempotency-Key"] = key
        retries = self._max_retries if max_retries is None else max_retries
        attempt = 0
        while True:
            attempt += 1
            sent = SentRequest(method, url, request_id, attempt, dict(all_headers))
            if self._on_request:
                self._on_request(sent)
            begun = time.monotonic()
            answer, error = self._try(sent, data, key, self._timeout if timeout is None else timeout)
            retry_in = None
            if error and attempt <= retries and (is_read or takes_key) and may_pass(error):
                retry_in = delay_after(attempt, self._retry_delay, error.retry_after, random.random())
            if self._on_response:
                status = answer.status if answer else None
                duration = time.monotonic() - begun
                self._on_response(ReceivedAnswer(method, url, request_id, attempt, status, duration, error, retry_in))
            if answer and not error:
                return answer
            if retry_in is None:
                assert error
                raise error
            time.sleep(retry_in)

    def _try(
        self, sent: SentRequest, data: Optional[bytes], key: Optional[str], timeout: float
    ) -> Tuple[Optional[Answer], Optional[KitlaneError]]:
        facts: Dict[str, Any] = {"idempotency_key": key, "attempts": sent.attempt}
        try:
            request = Request(sent.url, data, sent.headers, method=sent.method)
            try:
                live = self._opener.open(request, timeout=timeout)
            except HTTPError as refused:
                live = refused
            # Read within the try: an answer that breaks off in the middle is lost too.
            with live:
                answer = Answer(live.status or 0, live.headers, live.read())
        except (OSError, http.client.HTTPException) as cause:
            # Python 3.9 calls it socket.timeout.
            is_late = isinstance(getattr(cause, "reason", cause), (TimeoutError, socket.timeout))
            code = "TIMED_OUT" if is_late else "NO_ANSWER"
            message = f"No answer within {timeout:g} s" if is_late else f"No answer from {self._base_url}"
            error = KitlaneError(message, code=code, request_id=sent.request_id, **facts)
            error.__cause__ = cause.reason if isinstance(cause, URLError) and isinstance(cause.reason, OSError) else cause
            return None, error
        # The API never answers with a page: a proxy does.
        is_page = answer.headers.get_content_type() == "text/html"
        if 200 <= answer.status < 300 and not is_page:
            return answer, None
        return answer, _refusal(answer, sent.request_id, facts)


def _refusal(answer: Answer, request_id: str, facts: Dict[str, Any]) -> KitlaneError:
    try:
        read = json.loads(answer.content)
    except ValueError:
        read = None
    body: Dict[str, Any] = read if isinstance(read, dict) else {}
    moved = f", a redirect to {answer.headers['location']}: is base_url right?" if 300 <= answer.status < 400 else ""
    retry_after = retry_after_of(answer.headers["retry-after"], time.time())
    return KitlaneError(
        body.get("message") or f"The answer was {answer.status}{moved}",
        code=body.get("code") or "UNEXPECTED_ANSWER",
        status=answer.status,
        body=body,
        request_id=body.get("requestId") or answer.headers["x-request-id"] or request_id,
        retry_after=body.get("retryAfterSeconds") if retry_after is None else retry_after,
        **facts,
    )


def _query(query: Mapping[str, Any]) -> str:
    def text(value: Any) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)

    pairs = [
        (name, text(one))
        for name, value in query.items()
        if value is not None
        for one in (value if isinstance(value, (list, tuple)) else [value])
    ]
    return f"?{urlencode(pairs)}" if pairs else ""


def may_pass(error: KitlaneError) -> bool:
    """Whether the same request may be answered otherwise a little later."""
    return error.code in PASSING_CODES or error.status in PASSING


def delay_after(tries: int, first: float, retry_after: Optional[float], chance: float) -> Optional[float]:
    """
    How many seconds to wait after so many tries: twice as long each time, of which a half is random (`chance` is from 0 to 1), so that many
    callers do not return together. Never less than the service asks for; None where that is too long.
    """
    most = min(MOST_SECONDS, first * 2 ** (tries - 1))
    own = most * (0.5 + chance / 2)
    if retry_after is None:
        return own
    return None if retry_after > MOST_ASKED_SECONDS else max(own, retry_after + most * chance / 4)


def retry_after_of(header: Optional[str], now: float) -> Optional[float]:
    """Seconds of a `Retry-After`: seconds, or a date."""
    if not header:
        return None
    if re.fullmatch(r"\d{1,9}", header):
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - now)
    except (TypeError, ValueError):
        return None
