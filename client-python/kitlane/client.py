"""The client of one installation, as one token may use it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Mapping, Optional
from urllib.parse import urlsplit

from .calls import Calls
from .resources import Resources
from .transport import Answer, Transport

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .calls import Write
    from .transport import Options


class Kitlane(Resources):
    """`Kitlane("kl_test_…", "https://kits.example.com")`. One client may be used by several threads."""

    def __init__(self, token: str, base_url: str, **options: Unpack[Options]) -> None:
        # A message of `http.client` about such a token would show it.
        if not re.fullmatch(r"[\x21-\x7e]+", token):
            raise ValueError("token is missing, or has characters that no token has")
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError("base_url is no address such as https://kits.example.com")
        self._transport = Transport(base_url.rstrip("/"), f"Token {token}", options)
        super().__init__(Calls(self._transport))

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        **options: Unpack[Write],
    ) -> Answer:
        """
        Any route by its path, with the same retries and errors: for CSV and PDF, and for headers of answers.

        Raises `KitlaneError` for what is no success.
        """
        return self._transport.send(method, path, query=query, body=body, **options)
