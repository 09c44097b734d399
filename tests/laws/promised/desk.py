"""Stories of a small store of notes, whose contract is in contract/ beside this file."""

from pathlib import Path
from typing import Any

from conformance.certify import contract_of
from conformance.judge.promised.library import laws_of
from conformance.model.events import Json
from tests.laws.histories import Story

FOLDER = Path(__file__).parent / "contract"


def note(number: int = 1, revision: Json = 1, **more: Json) -> dict[str, Json]:
    return {"id": f"n-{number}", "title": f"title-{number}", "body": f"body-{number}", "revision": revision, **more}


class Desk(Story):
    """Each method tells one call; what it is answered with is given, or as a store that keeps its contract answers."""

    def __init__(self, **more: Any) -> None:
        super().__init__(contract_of(str(FOLDER)).name, **more)

    def save(self, number: int = 1, answer: Json = ..., *, key: str = "", code: str = "", **more: Any) -> int:
        arguments = {
            "title": f"title-{number}",
            "body": f"body-{number}",
            "request_key": key or f"key-{number}",
            **more.pop("given", {}),
        }
        for name in more.pop("without", ()):
            arguments.pop(name)
        if code:
            return self.refused("save_note", arguments, code, **more)
        shown = {"note": note(number)} if answer is ... else answer
        return self.accepted("save_note", arguments, shown, **more)

    def get(self, number: int | str = 1, answer: Json = ..., *, code: str = "", **more: Any) -> int:
        arguments = {"note_id": f"n-{number}"}
        if code:
            return self.refused("get_note", arguments, code, **more)
        shown = {"note": note(int(number))} if answer is ... else answer
        return self.accepted("get_note", arguments, shown, **more)

    def update(
        self, expected: Json = 1, body: str = "body-new", answer: Json = ..., *, code: str = "", **more: Any
    ) -> int:
        number = more.pop("number", 1)
        arguments = {"note_id": f"n-{number}", "body": body, "expected_revision": expected}
        if code:
            return self.refused("update_note", arguments, code, **more)
        shown = {"note": note(number, 2, body=body)} if answer is ... else answer
        return self.accepted("update_note", arguments, shown, **more)

    def delete(self, number: int = 1, **more: Any) -> int:
        return self.accepted("delete_note", {"note_id": f"n-{number}"}, {}, **more)

    def page(self, *notes: dict[str, Json], onward: Json = None, code: str = "", **more: Any) -> int:
        arguments = more.pop("given", {})
        if code:
            return self.refused("list_notes", arguments, code, **more)
        payload = {"notes": list(notes), "next_cursor": onward, **more.pop("beside", {})}
        return self.accepted("list_notes", arguments, payload, **more)

    def seen(self, requirement: str) -> tuple[str, int, int]:
        """What the law by itself says, whatever else is broken: the verdict, its subjects and its breaches.

        Of a requirement of several promises it is that of the one with the number: AL-STATES/2.
        """
        name, _, number = requirement.partition("/")
        law, history = laws_of(name, self.contract)[int(number or 1) - 1], self.history()
        if law.over_history is not None:
            judged = list(law.over_history(history, self.contract))
        else:
            assert law.over_exchange is not None
            calls = [call for call in history.exchanges if call.tool in (law.tools or ())]
            judged = [each for call in calls for each in law.over_exchange(call, self.contract)]
        subjects = [each for each in judged if each.judged]
        breaches = [each for each in subjects if not each.ok]
        return "fail" if breaches else "pass" if subjects else "not_observed", len(subjects), len(breaches)

    def verdict(self, requirement: str) -> str:
        return self.seen(requirement)[0]
