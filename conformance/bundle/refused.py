"""Why a bundle is not what it says."""


class RefusedError(Exception):
    """The bundle is refused: what is wrong, and what to do about it. Exit code 1."""

    def __init__(self, what: str, todo: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.todo = todo
