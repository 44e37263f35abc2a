"""The Kitlane API from Python: order health test kits, follow them, read the reports."""

from .client import Kitlane
from .errors import KitlaneError, WebhookError
from .pages import Pages
from .transport import Answer, ReceivedAnswer, SentRequest
from .webhook import Webhook

__all__ = [
    "Answer",
    "Kitlane",
    "KitlaneError",
    "Pages",
    "ReceivedAnswer",
    "SentRequest",
    "Webhook",
    "WebhookError",
]
