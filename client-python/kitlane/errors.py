"""What a failed call raises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Literal, Mapping, Optional, TypedDict

if TYPE_CHECKING:
    from .codes import ErrorCode


class _ErrorDetail(TypedDict):
    message: str


class ErrorDetail(_ErrorDetail, total=False):
    """One thing that is wrong with a request."""

    path: str
    code: str


class KitlaneError(Exception):
    """
    What every failed call raises. `code` says what happened, and does not change between releases: docs/errors.md says what to
    do about each. `NO_ANSWER`, `TIMED_OUT` and `UNEXPECTED_ANSWER` are the client's own.
    """

    code: ErrorCode
    """What happened."""
    status: Optional[int]
    """Of the answer; None where none came."""
    details: List[ErrorDetail]
    request_id: str
    """Finds the request in the log of the service, also if no answer came."""
    retry_after: Optional[float]
    """How many seconds the service asks to wait, where it does."""
    idempotency_key: Optional[str]
    """What the write was sent with. Sending it again with this key cannot do its work twice."""
    attempts: int
    """How often the request was sent."""
    body: Mapping[str, Any]
    """The answer as it was read."""

    def __init__(
        self,
        message: str,
        *,
        code: Any,
        request_id: str,
        attempts: int,
        status: Optional[int] = None,
        retry_after: Optional[float] = None,
        idempotency_key: Optional[str] = None,
        body: Optional[Mapping[str, Any]] = None,
    ) -> None:
        super().__init__(f"{message} ({code}, request {request_id})")
        self.code = code
        self.status = status
        self.request_id = request_id
        self.retry_after = retry_after
        self.idempotency_key = idempotency_key
        self.attempts = attempts
        self.body = body or {}
        details = self.body.get("details")
        self.details = details if isinstance(details, list) else []


class WebhookError(Exception):
    """Why a webhook was not accepted: answer it with 400."""

    reason: Literal["HEADERS_MISSING", "TOO_OLD", "TOO_NEW", "SIGNATURE_WRONG", "BODY_UNREADABLE"]

    def __init__(self, reason: Any, message: str) -> None:
        super().__init__(message)
        self.reason = reason
