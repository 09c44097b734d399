"""What one request works with: the instance's world and store, as the request's conditions leave them."""

from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from reference_server.conditions import Clock
from reference_server.tuitbot.conditions import Conditions
from reference_server.tuitbot.config import Config
from reference_server.tuitbot.llm.composer import Composer, SilentProvider
from reference_server.tuitbot.llm.provider import LlmProvider
from reference_server.tuitbot.store.database import Database, DownDatabase, MemoryDatabase
from reference_server.tuitbot.tools.serialise import BrokenSerialiser, JsonSerialiser, Serialiser
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.topics import LabelledTopics, TopicAnalysis, UnavailableTopics
from reference_server.tuitbot.x.client import MemoryClient
from reference_server.tuitbot.x.failure import Failure
from reference_server.tuitbot.x.line import Line
from reference_server.tuitbot.x.world import World

DAMAGED_TEMPLATE: Final = "damaged"
"""No template has this name, so a policy that names it cannot be evaluated."""
FAULTLESS: Final = Conditions()
COMPOSER: Final = Composer()
SERIALISER: Final = JsonSerialiser()
TOPICS: Final = LabelledTopics()
NO_DATABASE: Final = DownDatabase("this profile has no database")


@dataclass(frozen=True, slots=True)
class Session:
    """Dependencies of one request."""

    ctx: WorkflowContext
    line: Line
    topics: TopicAnalysis
    serialiser: Serialiser

    @property
    def x_available(self) -> bool:
        """Whether an X client is configured."""
        return self.line.failure is not Failure.NOT_CONFIGURED

    @property
    def scraping(self) -> bool:
        """Whether X is reached by a scraper, which may change nothing."""
        return self.line.read_only

    @property
    def has_store(self) -> bool:
        """Whether the profile has a database, and with it a gate."""
        return self.ctx.config.remembers


def session(config: Config, clock: Clock, world: World, store: MemoryDatabase, given: Conditions) -> Session:
    """The dependencies under the conditions given."""
    failure, spare, operation = given.x_failure
    if not config.x_client:
        failure, spare, operation = Failure.NOT_CONFIGURED, 0, None
    line = Line(clock.now(), failure, spare, operation, (given.backend or config.backend) == "scraper")
    if given.policy == "failing":
        config = replace(config, policy=replace(config.policy, template=DAMAGED_TEMPLATE))
    ctx = WorkflowContext(
        db=_database(config, store, given),
        config=config,
        x_client=MemoryClient(world, config.user_id, line),
        llm=_llm(config, given),
        clock=clock,
    )
    topics = UnavailableTopics() if given.topic_analysis == "failing" else TOPICS
    serialiser = BrokenSerialiser() if given.serialization == "failing" else SERIALISER
    return Session(ctx, line, topics, serialiser)


def _database(config: Config, store: MemoryDatabase, given: Conditions) -> Database:
    if not config.remembers:
        return NO_DATABASE
    return DownDatabase("the database does not answer") if given.database == "failing" else store


def _llm(config: Config, given: Conditions) -> LlmProvider | None:
    if not config.llm or given.llm is False:
        return None
    return SilentProvider() if given.llm == "failing" else COMPOSER
