"""Jobs that are renamed under the revision that they have; to pause and resume one changes that revision."""

from base import Json, Server
from used_up import TEXT, said, tool


class GuardsChanges(Server):
    """Keeps jobs, each with its revision."""

    tools = (
        tool("open_job", "Opens a new job.", "title", title={**TEXT, "minLength": 1}),
        tool("pause_job", "Pauses a job.", "job_id", job_id=TEXT),
        tool("resume_job", "Resumes a job.", "job_id", job_id=TEXT),
        tool("rename_job", "Renames a job.", "job_id", "etag", job_id=TEXT, etag={"type": "integer"}),
    )

    def __init__(self) -> None:
        self.etags: dict[str, int] = {}
        self.paused: set[str] = set()

    def call(self, params: Json) -> Json:
        """tools/call."""
        name, given = params.get("name"), params.get("arguments") or {}
        if name == "open_job" and isinstance(given.get("title"), str):
            job = f"job-{len(self.etags) + 1}"
            self.etags[job] = 1
            return said(f"job_id: {job}\netag: 1")
        job = str(given.get("job_id"))
        if job not in self.etags:
            return said(f"there is no job {job}", wrong=True)
        if name == "rename_job" and given.get("etag") != self.etags[job]:
            return said(f"the job is at another etag than {given.get('etag')}", wrong=True)
        if (name == "resume_job") is not (job in self.paused):
            return said("the job is paused, or not", wrong=True)
        self.paused ^= {job} if name != "rename_job" else set()
        self.etags[job] += 1
        return said("done")


if __name__ == "__main__":
    GuardsChanges().stdio()
