"""Purses between which money is moved under a key: a payment shows in them, and can be found by its id alone.

It is correct, and may be broken in what a payment does. A payment takes money that another one then lacks.
"""

import json
from itertools import count
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

FOLDER = Path(__file__).parent / "purses_contract"
BREAKS = {
    "pays-twice": "PU-KEY",
    "refuses-and-pays": "PU-KEY-REUSED",
    "pays-into-closed": "PU-CLOSED",
    "closed-by-another-code": "PU-CLOSED",
    "refuses-most": "PU-AMOUNT",
    "takes-more": "PU-AMOUNT",
}
"""By what is broken, the requirement that shows it."""
MOST = 1_000


def tools() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / "tools.json").read_text("utf-8"))
    return found


class WrongError(Exception):
    """A refusal, by its code."""


class Purses:
    """The store."""

    def __init__(self, broken: str = "") -> None:
        self.broken = broken
        self.purses: dict[str, dict[str, Any]] = {}
        self.payments: dict[str, dict[str, Any]] = {}
        self.keys: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {}
        self.ids = count(1)

    def answer(self, name: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], bool]:
        try:
            self.check(name, arguments)
            return {"ok": True, "data": getattr(self, name)(**arguments)}, False
        except WrongError as error:
            return {"ok": False, "error": {"code": str(error), "message": "no"}}, True

    def check(self, name: str, arguments: dict[str, Any]) -> None:
        schema = next(tool for tool in tools() if tool["name"] == name)["inputSchema"]
        if self.broken == "takes-more" and name == "pay":
            schema["properties"]["amount"]["maximum"] += 1
        if not Draft202012Validator(schema).is_valid(arguments):
            raise WrongError("BAD")

    def open_purse(self, owner: str, holds: int = 0) -> dict[str, Any]:
        purse = {"purseId": f"purse-{next(self.ids)}", "owner": owner, "holds": holds, "open": True}
        self.purses[purse["purseId"]] = purse
        return dict(purse)

    def get_purse(self, purse: str) -> dict[str, Any]:
        if purse not in self.purses:
            raise WrongError("NO_PURSE")
        return dict(self.purses[purse])

    def close_purse(self, purse: str) -> dict[str, Any]:
        self.get_purse(purse)
        self.purses[purse]["open"] = False
        return dict(self.purses[purse])

    def list_purses(self, page_size: int = 20, page_token: str = "0") -> dict[str, Any]:
        if not page_token.isdigit():
            raise WrongError("BAD")
        end = int(page_token) + page_size
        page = {"purses": [dict(each) for each in list(self.purses.values())[int(page_token) : end]]}
        return {**page, "next_page_token": str(end)} if end < len(self.purses) else page

    def pay(self, giver: str, taker: str, amount: int, request_id: str, memo: str) -> dict[str, Any]:
        asked = {"giver": giver, "taker": taker, "amount": amount, "memo": memo}
        before, answer = self.keys.get(request_id, (asked, None))
        if before != asked:
            if self.broken == "refuses-and-pays":
                self.moved(giver, taker, amount)
            raise WrongError("KEY_REUSED")
        if answer is not None:
            if self.broken == "pays-twice":
                self.moved(giver, taker, amount)
            return dict(answer)
        here = [self.get_purse(giver), self.get_purse(taker)]
        if not all(each["open"] for each in here) and self.broken != "pays-into-closed":
            raise WrongError("NO_PURSE" if self.broken == "closed-by-another-code" else "CLOSED")
        if here[0]["holds"] < amount or (self.broken == "refuses-most" and amount == MOST):
            raise WrongError("TOO_LITTLE")
        self.moved(giver, taker, amount)
        payment = {"paymentId": f"payment-{next(self.ids)}", **asked}
        self.payments[payment["paymentId"]], self.keys[request_id] = payment, (asked, payment)
        return dict(payment)

    def moved(self, giver: str, taker: str, amount: int) -> None:
        self.purses[giver]["holds"] -= amount
        self.purses[taker]["holds"] += amount

    def get_payment(self, payment: str) -> dict[str, Any]:
        if payment not in self.payments:
            raise WrongError("NO_PAYMENT")
        return dict(self.payments[payment])
