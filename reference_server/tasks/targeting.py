"""Which plan or task a write is about: named, or the focus; and whether that is the one the caller means."""

from typing import TYPE_CHECKING

from reference_server.application import Json
from reference_server.tasks.items import Item, Kind
from reference_server.tasks.refusal import Refusal, Suggestion

if TYPE_CHECKING:
    from reference_server.tasks.call import Call


class Targeting:
    """Sets context.target_resolution: source (explicit, focus, missing, focus_incompatible), id, kind."""

    def resolve(self, call: "Call", kinds: tuple[Kind, ...] = ("plan", "task")) -> Item:
        """The target of a write. Raises UNKNOWN_ID, INVALID_INPUT, and where the guards say so."""
        item, source = self.find(call, kinds)
        self.guard(call, item, source)
        return item

    def find(self, call: "Call", kinds: tuple[Kind, ...]) -> tuple[Item, str]:
        """The target and where it came from, not guarded."""
        named = call.arguments.get("task")
        if named is not None:
            item = call.parts.items.find(call, named)
            if item.kind not in kinds:
                raise Refusal(
                    "INVALID_INPUT",
                    f"{item.id} is a {item.kind}: this tool takes a {' or '.join(kinds)}",
                    recovery="take an id from tasks_context",
                    suggestions=[self.listing(call)],
                )
            return self.told(call, item, "explicit")
        focus = call.workspace.focus.item_id
        if focus is None:
            raise self.without(call, "missing", "neither task nor a focus says what is meant")
        item = call.parts.items.find(call, focus)
        if item.kind not in kinds:
            raise self.without(call, "focus_incompatible", f"the focus is the {item.kind} {item.id}")
        return self.told(call, item, "focus")

    def told(self, call: "Call", item: Item, source: str) -> tuple[Item, str]:
        """Leaves a trace of the resolution in the context."""
        call.context["target_resolution"] = {"source": source, "id": item.id, "kind": item.kind}
        return item, source

    def without(self, call: "Call", source: str, message: str) -> Refusal:
        """What to raise where nothing resolves."""
        call.context["target_resolution"] = {"source": source}
        return Refusal(
            "INVALID_INPUT",
            message,
            recovery="name the task, or set the focus with tasks_focus_set",
            suggestions=[self.listing(call)],
        )

    def guard(self, call: "Call", item: Item, source: str) -> None:
        """Raises EXPECTED_TARGET_MISMATCH, STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID."""
        expected, kind = call.arguments.get("expected_target_id"), call.arguments.get("expected_kind")
        if not self.agree(item, source, expected, kind):
            raise Refusal(
                "EXPECTED_TARGET_MISMATCH",
                f"the target is {item.id}, not {expected or f'a {kind}'}",
                recovery="name the task that is meant, or expect the one that the focus gives",
                suggestions=self.looks(call, item),
                result=self.shown(call, item),
            )
        if call.arguments.get("strict_targeting") and source == "focus" and expected is None:
            raise Refusal(
                "STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID",
                "strict targeting takes a target from the focus only with expected_target_id",
                recovery="give expected_target_id, or name the task",
                suggestions=self.looks(call, item),
                result=self.shown(call, item),
            )

    def agree(self, item: Item, source: str, expected: str | None, kind: str | None) -> bool:  # noqa: ARG002 - a replaceable rule
        """Whether the target is what the caller expects, as far as it says."""
        return expected in (None, item.id) and kind in (None, item.kind)

    def shown(self, call: "Call", item: Item) -> dict[str, Json]:
        """The result of a guarded failure."""
        return {
            "expected_target_id": call.arguments.get("expected_target_id"),
            "expected_kind": call.arguments.get("expected_kind"),
            "resolved_target_id": item.id,
            "resolved_kind": item.kind,
            "target_resolution": call.context["target_resolution"],
        }

    def looks(self, call: "Call", item: Item) -> list[Suggestion]:
        """Reads of the focus and of the target."""
        workspace = call.workspace.name
        return [
            Suggestion("tasks_focus_get", {"workspace": workspace}, "see which target the focus gives"),
            Suggestion("tasks_radar", {"workspace": workspace, "task": item.id}, "see what the resolved target is"),
        ]

    def listing(self, call: "Call") -> Suggestion:
        """The read that shows every plan and task."""
        return Suggestion("tasks_context", {"workspace": call.workspace.name}, "see the plans and tasks there are")
