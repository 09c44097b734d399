"""Jobs that can be finished once, and are then there no more; with `lax` a bound of finishing is not looked at."""

import sys

import jsonschema
from base import Json, Server

TEXT: Json = {"type": "string"}
HOURS: Json = {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 24}, {"type": "null"}]}


def tool(name: str, says: str, *required: str, **properties: Json) -> Json:
    """A definition that lets no other argument in."""
    schema = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
    return {"name": name, "description": says, "inputSchema": schema, "annotations": {"readOnlyHint": False}}


class UsedUp(Server):
    """Keeps jobs until they are finished or removed."""

    tools = (
        tool("open_job", "Opens a new job.", "title", title={**TEXT, "minLength": 1}),
        tool("finish_job", "Finishes a job.", "job_id", job_id=TEXT, hours=HOURS),
        tool("remove_job", "Removes a job.", "job_id", job_id=TEXT),
    )

    def __init__(self) -> None:
        self.jobs: dict[str, str] = {}
        self.made = 0

    def call(self, params: Json) -> Json:
        """tools/call."""
        listed = next((each for each in self.tools if each["name"] == params.get("name")), None)
        if listed is None:
            return super().call(params)
        given = params.get("arguments") or {}
        schema = listed["inputSchema"]
        if "lax" in sys.argv and listed["name"] == "finish_job":
            schema = {**schema, "properties": {**schema["properties"], "hours": {}}}
        wrong = [error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(given)]
        if wrong:
            return said(wrong[0], wrong=True)
        if listed["name"] == "open_job":
            self.made += 1
            self.jobs[f"job-{self.made}"] = given["title"]
            return said(f"job_id: job-{self.made}")
        if self.jobs.pop(given["job_id"], None) is None:
            return said(f"there is no job {given['job_id']}", wrong=True)
        return said("done")


def said(text: str, *, wrong: bool = False) -> Json:
    """A result that is a text."""
    return {"content": [{"type": "text", "text": text}], **({"isError": True} if wrong else {})}


if __name__ == "__main__":
    UsedUp().stdio()
