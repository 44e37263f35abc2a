"""Checks webhooks, and signs them for tests, by Standard Webhooks."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from typing import TYPE_CHECKING, Any, Dict, Iterable, Optional, Protocol, Sequence, Tuple, Union

from .errors import WebhookError

if TYPE_CHECKING:
    from .models import WebhookEvent

TOLERANCE_SECONDS = 300
PREFIX = "whsec_"


class Headers(Protocol):
    """Those of a dictionary, of `http.server`, and of frameworks."""

    def items(self) -> Iterable[Tuple[str, Any]]: ...


class Webhook:
    def __init__(self, secret: Union[str, Sequence[str]], *, tolerance_seconds: float = TOLERANCE_SECONDS) -> None:
        """`whsec_…`, or several of them while a secret is changed."""
        given = [secret] if isinstance(secret, str) else list(secret)
        if not given:
            raise ValueError("Webhook() needs a secret")
        self._keys = [_key(one) for one in given]
        self._tolerance = tolerance_seconds

    def verify(self, body: Union[bytes, str], headers: Headers) -> WebhookEvent:
        """
        The event, if one of the signatures is right and its time is near. `body` is the raw body, before anything parsed it.

        Raises `WebhookError`.
        """
        given = {name.lower(): value for name, value in headers.items()}
        id, sent, signatures = (given.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
        if not id or not sent or not signatures or not re.fullmatch(r"[0-9]{1,12}", sent):
            raise WebhookError(
                "HEADERS_MISSING", "webhook-id, webhook-timestamp or webhook-signature is missing or malformed"
            )
        age = time.time() - int(sent)
        if age > self._tolerance:
            raise WebhookError("TOO_OLD", "The webhook is too old")
        if age < -self._tolerance:
            raise WebhookError("TOO_NEW", "The webhook is from the future: check the clock")
        expected = [_signature(key, id, sent, _bytes(body)) for key in self._keys]
        fits = [hmac.compare_digest(one.encode(), own) for one in signatures.split(" ") for own in expected]
        if not any(fits):
            raise WebhookError(
                "SIGNATURE_WRONG", "No signature fits: check the secret, and that the body is the raw one"
            )
        try:
            event = json.loads(body)
        except ValueError:
            event = None
        if not isinstance(event, dict):
            raise WebhookError("BODY_UNREADABLE", "The body is no JSON object")
        verified: Any = {"id": id, **event}
        return verified

    def sign(self, body: Union[bytes, str], *, id: str = "evt_test", at: Optional[float] = None) -> Dict[str, str]:
        """The headers of a webhook with this body, to test a receiver with. `at` is in seconds since 1970."""
        sent = str(int(time.time() if at is None else at))
        made = [_signature(key, id, sent, _bytes(body)).decode() for key in self._keys]
        return {"webhook-id": id, "webhook-timestamp": sent, "webhook-signature": " ".join(made)}


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[len(PREFIX) :] if secret.startswith(PREFIX) else secret, validate=True)
    except ValueError:
        key = b""
    if not key:
        raise ValueError("The secret of a webhook is whsec_ and base64")
    return key


def _signature(key: bytes, id: str, sent: str, body: bytes) -> bytes:
    digest = hmac.new(key, f"{id}.{sent}.".encode() + body, hashlib.sha256).digest()
    return b"v1," + base64.b64encode(digest)


def _bytes(body: Union[bytes, str]) -> bytes:
    return body.encode() if isinstance(body, str) else body
