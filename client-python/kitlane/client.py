"""The client of one installation, as one token may use it."""

from __future__ import annotations

import re
from typing import Any, Callable, Mapping, Optional
from urllib.parse import urlsplit
from urllib.request import OpenerDirector

from .calls import Calls
from .resources import Resources
from .transport import Answer, ReceivedAnswer, SentRequest, Transport


class Kitlane(Resources):
    """`Kitlane("kl_test_…", "https://kits.example.com")`. One client may be used by several threads."""

    def __init__(
        self,
        token: str,
        base_url: str,
        *,
        max_retries: int = 3,
        retry_delay: float = 0.5,
        timeout: float = 60.0,
        headers: Optional[Mapping[str, str]] = None,
        on_request: Optional[Callable[[SentRequest], Any]] = None,
        on_response: Optional[Callable[[ReceivedAnswer], Any]] = None,
        opener: Optional[OpenerDirector] = None,
    ) -> None:
        """
        `retry_delay` is the most before the second try, in seconds; it doubles up to 8. `timeout` is how long, in seconds, a try
        may wait for the connection or for more of the answer. `on_request` and `on_response` see every try. `opener` sends
        the requests where an ordinary connection is not enough.
        """
        # A message of `http.client` about such a token would show it.
        if not re.fullmatch(r"[\x21-\x7e]+", token):
            raise ValueError("token is missing, or has characters that no token has")
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError("base_url is no address such as https://kits.example.com")
        self._transport = Transport(
            base_url.rstrip("/"),
            {**(headers or {}), "Authorization": f"Token {token}"},
            max_retries=max_retries,
            retry_delay=retry_delay,
            timeout=timeout,
            on_request=on_request,
            on_response=on_response,
            opener=opener,
        )
        super().__init__(Calls(self._transport))

    def request(
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
        """
        Any route by its path, with the same retries and errors: for CSV and PDF, and for headers of answers.

        Raises `KitlaneError` for what is no success.
        """
        return self._transport.send(
            method,
            path,
            query=query,
            body=body,
            headers=headers,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )
