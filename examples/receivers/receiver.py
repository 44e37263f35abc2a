"""
Takes webhooks: checks the signature, leaves out what came before, keeps the event, and answers. The work is done later, from the
file: Kitlane sends again what is not answered within 15 seconds.
"""

import json
import os
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

from kitlane import Webhook, WebhookError
from kitlane.models import WebhookEvent

INBOX = os.environ.get("INBOX", "inbox.jsonl")
MOST_BYTES = 1_000_000

# Two secrets with a blank between them, while one is changed for the other.
webhook = Webhook(os.environ["KITLANE_WEBHOOK_SECRET"].split(" "))
one_at_a_time = Lock()


def read_inbox() -> "set[str]":
    """The IDs of the events that are kept already."""
    with open(INBOX, "a+", encoding="utf-8") as inbox:
        inbox.seek(0)
        text = inbox.read()
        # The machine may have stopped in the middle of a line: its event was not answered, and comes again.
        if text and not text.endswith("\n"):
            inbox.write("\n")
    return set(re.findall(r'^\{"id": ?"([^"]+)".*\}$', text, re.MULTILINE))


seen = read_inbox()


def keep(event: WebhookEvent) -> None:
    with one_at_a_time:
        if event["id"] in seen:
            return
        with open(INBOX, "a", encoding="utf-8") as inbox:
            inbox.write(json.dumps(event) + "\n")
            inbox.flush()
            # On the disk before the answer: after it, Kitlane does not send the event again.
            os.fsync(inbox.fileno())
        seen.add(event["id"])


class Receiver(BaseHTTPRequestHandler):
    timeout = 15

    def do_POST(self) -> None:
        size = int(self.headers.get("content-length") or 0)
        if size > MOST_BYTES:
            return self.answer(413)
        try:
            keep(webhook.verify(self.rfile.read(size), self.headers))
        except WebhookError:
            return self.answer(400)
        self.answer(204)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """No line for each request."""


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
print(f"Listening on http://127.0.0.1:{server.server_port}/", flush=True)
server.serve_forever()
