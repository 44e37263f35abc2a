"""Lists of the API."""

from __future__ import annotations

import re
from typing import Any, Callable, Dict, Generic, Iterator, List, Mapping, Optional, TypeVar

from .transport import Answer

Page = TypeVar("Page")
Item = TypeVar("Item")


class Pages(Generic[Page, Item]):
    """A list: `for item in it` goes through the items of all pages, `first()` reads one page as the route answers it."""

    def __init__(self, read: Callable[[Mapping[str, Any]], Answer], query: Mapping[str, Any], is_feed: bool) -> None:
        self._read = read
        self._query = query
        self._is_feed = is_feed

    def first(self) -> Page:
        """One page: the first, or the one that was asked for."""
        page: Page = self._read(self._query).json()
        return page

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from _items(page)

    def pages(self) -> Iterator[Page]:
        """The answers one after the other, each a page."""
        query: Dict[str, Any] = dict(self._query)
        if not self._is_feed and query.get("page") is None:
            # Some lists give all items unless a page is asked for.
            query["page"] = 0
        while True:
            answer = self._read(query)
            page = answer.json()
            yield page
            following = _after(page) if self._is_feed else _next_page(page, query["page"], answer)
            if following is None:
                return
            query.update(following)


def _items(page: Any) -> List[Any]:
    if isinstance(page, list):
        return page
    found: List[Any] = page["data"] if "data" in page else page.get("rows", [])
    return found


def _after(page: Any) -> Optional[Dict[str, Any]]:
    items = _items(page)
    return {"after": items[-1]["id"]} if page.get("hasMore") and items else None


def _next_page(page: Any, number: int, answer: Answer) -> Optional[Dict[str, Any]]:
    link = answer.headers["link"]
    if not isinstance(page, list):
        has_next = page.get("pagination", {}).get("hasNext", False)
    elif link is None:
        # A list that does not say how long it is ends with an empty page.
        has_next = answer.headers["x-total-count"] is None and len(page) > 0
    else:
        has_next = re.search(r'rel="?next\b', link) is not None
    return {"page": number + 1} if has_next else None
