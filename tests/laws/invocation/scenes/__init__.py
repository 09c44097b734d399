"""A scene for each requirement: as a conforming server answers, as a breaking one does, and without its control."""

from tests.laws.invocation.scenes import answers, failures, requests, traces
from tests.laws.invocation.scenes.scene import SCENES, UNCONTROLLED, Scene
from tests.laws.invocation.scenes.traces import ASKED

__all__ = ["ASKED", "SCENES", "UNCONTROLLED", "Scene", "answers", "failures", "requests", "traces"]
