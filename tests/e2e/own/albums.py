"""Albums of photos: lists that are maps, photos that are listed and removed by their album alone, states entered once.

It is correct, and may be broken where photos meet their albums. Versions begin at 1, and no smaller one is taken.
"""

import json
from itertools import count
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "albums_contract"
BREAKS = {
    "lists-all-photos": "AL-PAGES",
    "repeats-at-the-border": "AL-PAGES",
    "leaves-out-at-the-border": "AL-PAGES",
    "lists-one-more": "AL-CAP",
    "forgets-the-filter": "AL-BEGINS",
    "keeps-the-removed": "AL-PHOTO-LIFE",
    "counts-bytes": "AL-CAPTION",
    "publishes-twice": "AL-STATES",
    "withdraws-drafts": "AL-STATES",
    "adds-to-published": "AL-STATES",
    "removes-from-published": "AL-STATES",
    "swallows-the-other": "AL-KEY-REUSED",
}
"""By what is broken, the requirement that shows it."""
Json = dict[str, Any]
MOST = 5


def tools() -> list[Json]:
    found: list[Json] = json.loads((FOLDER / "tools.json").read_text("utf-8"))
    return found


class WrongError(Exception):
    """A refusal, by its code."""


class Albums:
    """The store."""

    def __init__(self, broken: str = "") -> None:
        self.broken = broken
        self.albums: dict[int, Json] = {}
        self.photos: dict[int, dict[int, str]] = {}
        self.removed: dict[int, dict[int, str]] = {}
        self.keys: dict[str, tuple[str, int]] = {}
        self.ids = count(1)

    def answer(self, name: str, arguments: Json) -> tuple[Json, bool]:
        try:
            self.check(name, arguments)
            return getattr(self, name)(**arguments), False
        except WrongError as error:
            return {"type": f"https://albums.example/{error}", "title": str(error)}, True

    def check(self, name: str, arguments: Json) -> None:
        schema = next(tool for tool in tools() if tool["name"] == name)["inputSchema"]
        if set(schema.get("required", ())) - set(arguments) or set(arguments) - set(schema["properties"]):
            raise WrongError("bad")
        for key, value in arguments.items():
            about = schema["properties"][key]
            if not isinstance(value, {"string": str, "integer": int}[about["type"]]) or isinstance(value, bool):
                raise WrongError("bad")
            text: Any = value.encode() if self.broken == "counts-bytes" and isinstance(value, str) else value
            size = value if isinstance(value, int) else len(text)
            least, most = (
                about.get("minLength", about.get("minimum", size)),
                about.get("maxLength", about.get("maximum")),
            )
            if size < least or (most is not None and size > most) or value not in about.get("enum", [value]):
                raise WrongError("bad")

    def add_album(self, mood: str, key: str) -> Json:
        if key in self.keys:
            was, number = self.keys[key]
            if was != mood and self.broken != "swallows-the-other":
                raise WrongError("reused")
            return {"album": {**self.albums[number]}}
        number = next(self.ids)
        self.albums[number] = {"number": number, "mood": mood, "state": "draft", "version": 1}
        self.photos[number], self.removed[number], self.keys[key] = {}, {}, (mood, number)
        return self.album(number)

    def album(self, number: int) -> Json:
        if number not in self.albums:
            raise WrongError("none")
        return {"album": {**self.albums[number]}}

    def set_mood(self, number: int, mood: str, version: int) -> Json:
        self.album(number)
        if version != self.albums[number]["version"]:
            raise WrongError("stale")
        self.albums[number].update(mood=mood, version=version + 1)
        return self.album(number)

    def drop_album(self, number: int) -> Json:
        self.album(number)
        del self.albums[number]
        return {}

    def publish(self, number: int) -> Json:
        return self.moved(number, "draft", "published", lax=self.broken == "publishes-twice")

    def withdraw(self, number: int) -> Json:
        return self.moved(number, "published", "draft", lax=self.broken == "withdraws-drafts")

    def moved(self, number: int, before: str, after: str, *, lax: bool) -> Json:
        if self.album(number)["album"]["state"] != before and not lax:
            raise WrongError("state")
        self.albums[number]["state"] = after
        return self.album(number)

    def draft(self, number: int, breaking: str) -> None:
        if self.album(number)["album"]["state"] == "published" and self.broken != breaking:
            raise WrongError("state")

    def add_photo(self, album: int, caption: str) -> Json:
        self.draft(album, "adds-to-published")
        photo = next(self.ids)
        self.photos[album][photo] = caption
        return {"photo": {"id": photo, "album": album, "caption": caption}}

    def remove_photo(self, album: int, photo: int) -> Json:
        self.draft(album, "removes-from-published")
        if photo not in self.photos[album]:
            raise WrongError("none")
        self.removed[album][photo] = self.photos[album].pop(photo)
        return {}

    def list_photos(self, album: int, after: int = 0, most: int = 3, begins: str = "") -> Json:
        self.album(album)
        there = {**self.photos[album], **(self.removed[album] if self.broken == "keeps-the-removed" else {})}
        if self.broken == "lists-all-photos":
            there = {photo: caption for photos in self.photos.values() for photo, caption in photos.items()}
        later = after + (self.broken == "leaves-out-at-the-border" and after > 0)
        later -= self.broken == "repeats-at-the-border" and after > 0
        if self.broken != "forgets-the-filter" or not after:
            there = {photo: caption for photo, caption in there.items() if caption.startswith(begins)}
        left = [photo for photo in sorted(there) if photo > later]
        shown = left[: most + (self.broken == "lists-one-more")]
        photos = {str(photo): {"id": photo, "caption": there[photo]} for photo in shown}
        return {"photos": photos, "next": shown[-1] if len(left) > len(shown) else None}
