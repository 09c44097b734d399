"""The collaborators of one instance, each replaceable by itself."""

from dataclasses import dataclass

from reference_server.conditions import Clock
from reference_server.tasks.arguments import Arguments
from reference_server.tasks.branches import Branches
from reference_server.tasks.budgets import Budgets
from reference_server.tasks.cards import Cards
from reference_server.tasks.checkpoints import Checkpoints
from reference_server.tasks.conflicts import Conflicts
from reference_server.tasks.documents import Documents
from reference_server.tasks.editing import GraphEditing
from reference_server.tasks.envelope import Envelopes
from reference_server.tasks.events import Journal
from reference_server.tasks.identifiers import Identifiers
from reference_server.tasks.items import Items
from reference_server.tasks.merging import GraphMerge, NotesMerge
from reference_server.tasks.places import Places
from reference_server.tasks.radar import Radar
from reference_server.tasks.revisions import Revisions
from reference_server.tasks.steps import Steps
from reference_server.tasks.targeting import Targeting
from reference_server.tasks.workspaces import Store


@dataclass
class Parts:
    """Tools reach them through their call, so that exchanging one here exchanges it everywhere."""

    clock: Clock
    store: Store
    arguments: Arguments
    envelopes: Envelopes
    identifiers: Identifiers
    revisions: Revisions
    budgets: Budgets
    items: Items
    steps: Steps
    checkpoints: Checkpoints
    targeting: Targeting
    journal: Journal
    branches: Branches
    documents: Documents
    places: Places
    editing: GraphEditing
    notes_merge: NotesMerge
    graph_merge: GraphMerge
    conflicts: Conflicts
    cards: Cards
    radar: Radar
