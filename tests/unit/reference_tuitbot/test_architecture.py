"""TB-MAN-10 and TB-ARCH-01 to -12, as far as the layers' imports (test_layers) do not hold them."""

import ast
import json
import re
import tomllib
import typing
from pathlib import Path

import pytest

from reference_server.tuitbot.autopilot import ports
from reference_server.tuitbot.autopilot.adapters import (
    GatedSender,
    KeywordSearcher,
    LlmDrafter,
    StoredSafety,
    StoredSchedule,
)
from reference_server.tuitbot.codes import CODES
from reference_server.tuitbot.conditions import Conditions
from reference_server.tuitbot.editions import CONVERGENCE, EDITIONS
from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.session import session
from reference_server.tuitbot.store.database import DatabaseFailureError
from reference_server.tuitbot.toolkit import engage, safety, weight, writes
from reference_server.tuitbot.toolkit.errors import ToolkitError, TweetTooLongError
from reference_server.tuitbot.tools.catalogue import ENDPOINTS, catalogue, manifest
from reference_server.tuitbot.workflow.errors import WorkflowError
from reference_server.tuitbot.workflow.policy.decision import Allow, Decision, Deny, DryRun, RouteToApproval
from reference_server.tuitbot.x.protocol import Draft

from .bot import Bot
from .source import NAME, ROOT, calls_of, functions, imports, trees

PROJECT = Path(__file__).parents[3]
LAYERS = ("toolkit", "workflow", "autopilot")
DEPENDENCIES = {"Database", "XClient", "LlmProvider", "Config"}


# TB-MAN-10


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda edition: edition.name)
@pytest.mark.parametrize("gone", ["get_mode", None])
def test_the_snapshot_of_the_manifest_notices_a_tool_that_comes_or_goes(gone, edition):
    path = PROJECT / "schemas" / "tuitbot" / f"manifest-{edition.name}.json"
    published, served = json.loads(path.read_text("utf-8")), catalogue(edition)
    tools = [tool for tool in served.values() if tool.name != gone]
    assert published == manifest(served.values())
    assert published != manifest(tools if gone else [*tools, tools[0]])


# TB-ARCH-01, TB-ARCH-06: who may import whom


def test_the_layers_are_packages_of_one_package():
    assert all((ROOT / layer / "__init__.py").is_file() for layer in LAYERS)


def test_ci_lints_the_directions_of_imports():
    rules = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    [order] = [each["layers"] for each in rules if each["type"] == "layers" and f"{NAME}.toolkit" in each["layers"]]
    of = {layer: next(place for place, names in enumerate(order) if f"{NAME}.{layer}" in names) for layer in LAYERS}
    assert of["autopilot"] < of["workflow"] < of["toolkit"]
    assert any(
        each["type"] == "forbidden"
        and f"{NAME}.autopilot" in each["source_modules"]
        and f"{NAME}.x" in each["forbidden_modules"]
        for each in rules
    )
    assert "make --no-print-directory check" in (PROJECT / ".ci" / "run").read_text("utf-8")


# TB-ARCH-02: the toolkit is stateless over the client


def test_wherever_the_toolkit_takes_a_client_it_comes_first():
    taking = [each for each in functions("toolkit") if "XClient" in dict(each.parameters).values()]
    assert len(taking) > 20
    assert [each for each in taking if each.parameters[0][1] != "XClient"] == []


def test_the_toolkit_takes_no_other_dependency():
    wrong = [
        each for each in functions("toolkit") if {"Database", "LlmProvider", "Config"} & {t for _, t in each.parameters}
    ]
    assert wrong == []


def test_the_toolkit_keeps_nothing_between_calls():
    for place, tree in trees("toolkit"):
        for node in ast.walk(tree):
            assert not isinstance(node, ast.Global | ast.Nonlocal), place
        for node in tree.body:
            assert not isinstance(node, ast.Assign), f"{place} assigns {ast.unparse(node)}"
            if isinstance(node, ast.AnnAssign):
                assert ast.unparse(node.annotation).startswith("Final"), f"{place}: {ast.unparse(node)}"
            if isinstance(node, ast.ClassDef):
                kinds = [ast.unparse(base) for base in node.bases]
                options = {option.arg: ast.unparse(option.value) for option in node.keywords}
                decorated = "".join(ast.unparse(each) for each in node.decorator_list)
                frozen = options.get("frozen") == "True" or "frozen=True" in decorated
                assert frozen or any(kind.endswith(("Error", "Exception")) for kind in kinds), f"{place}: {node.name}"


def test_scoring_takes_its_own_configuration_and_no_more():
    [score] = [each for each in functions("toolkit") if each.name == "score_tweet"]
    assert dict(score.parameters) == {"tweet": "ScoringInput", "config": "ScoringConfig", "now": "float"}


# TB-ARCH-03, TB-ARCH-11: the workflow's one context


def test_a_workflow_function_takes_its_dependencies_in_one_context():
    assert [each for each in functions("workflow") if DEPENDENCIES & {t for _, t in each.parameters}] == []
    taking = [each for each in functions("workflow") if "WorkflowContext" in dict(each.parameters).values()]
    assert len(taking) > 40
    assert [
        each for each in taking if each.parameters[0] not in (("ctx", "WorkflowContext"), ("_ctx", "WorkflowContext"))
    ] == []


@pytest.mark.parametrize("verb", ["close", "aclose", "shutdown", "disconnect", "dispose", "__exit__"])
def test_nobody_in_the_layers_closes_what_is_borrowed(verb):
    assert list(calls_of(verb, *LAYERS)) == []


# TB-ARCH-04: toolkit writes are raw


def test_a_toolkit_write_asks_no_policy():
    bot = Bot(policy={"rules": [{"id": "hard:all", "priority": -1, "action": {"type": "deny"}}]})
    tuitbot = bot.tuitbot
    ctx = session(tuitbot.config, tuitbot.clock, tuitbot.world, tuitbot.store, Conditions()).ctx
    assert bot.code("x_post_tweet", text="denied") == "policy_denied_hard_rule"
    posted = writes.post_tweet(ctx.x_client, Draft("raw"))
    engage.like_tweet(ctx.x_client, posted["id"])
    assert bot.data("get_tweet_by_id", tweet_id=posted["id"])["public_metrics"]["like_count"] == 1
    assert bot.data("get_pending_count") == {"pending_count": 0}
    assert bot.data("get_policy_status")["rate_limit"]["used"] == 0


# TB-ARCH-05: one gate


def test_there_is_one_gate_with_four_decisions():
    assert [place for place, tree in trees("") for node in tree.body if getattr(node, "name", "") == "PolicyGate"] == [
        "workflow/policy/gate.py"
    ]
    assert set(typing.get_args(Decision)) == {Allow, RouteToApproval, DryRun, Deny}


def test_one_instance_has_one_gate():
    assert list(calls_of("PolicyGate", "")) == ["tools/pipeline.py"]


def test_who_mutates_asks_the_gate_first():
    assert set(calls_of("evaluate", "")) == {"tools/pipeline.py", "workflow/publishing.py"}


# TB-ARCH-07: small protocols


def test_loops_know_ports_alone():
    foreign = [
        (place, module)
        for place, module in imports("autopilot")
        if place.endswith("_loop.py") and module.startswith(NAME) and module != f"{NAME}.autopilot.ports"
    ]
    assert foreign == []


def test_a_port_is_a_protocol_of_few_methods():
    protocols = [
        each for each in vars(ports).values() if getattr(each, "_is_protocol", False) and each is not typing.Protocol
    ]
    assert len(protocols) == 6
    for protocol in protocols:
        methods = [name for name in vars(protocol) if not name.startswith("_")]
        assert 1 <= len(methods) <= 2, protocol


@pytest.mark.parametrize(
    ("adapter", "fulfilled"),
    [
        (KeywordSearcher, [ports.TweetSearcher]),
        (LlmDrafter, [ports.ReplyDrafter]),
        (StoredSafety, [ports.SafetyChecker]),
        (GatedSender, [ports.ReplySender, ports.PostSender]),
        (StoredSchedule, [ports.Schedule]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_an_adapter_fulfils_its_ports(adapter, fulfilled):
    wanted = {name for port in fulfilled for name in vars(port) if not name.startswith("_")}
    assert {name for name, value in vars(adapter).items() if callable(value) and not name.startswith("_")} == wanted


def test_adapters_delegate_to_the_layers_below():
    used = {module for place, module in imports("autopilot") if place.endswith("adapters.py")}
    assert any(module.startswith(f"{NAME}.workflow.") for module in used)
    assert not any(module.startswith((f"{NAME}.x", f"{NAME}.store", f"{NAME}.tools")) for module in used)


# TB-ARCH-08: errors and codes


def test_every_error_has_exactly_one_code_and_every_code_is_of_the_catalogue():
    kinds = {*ToolkitError.__subclasses__(), *WorkflowError.__subclasses__(), DatabaseFailureError}
    assert set(CODES) == kinds
    assert all(isinstance(code, ErrorCode) for code in CODES.values())
    assert not any(kind.__subclasses__() for kind in kinds)


def test_the_layers_raise_no_other_errors():
    raised = {
        ast.unparse(node.exc.func).rpartition(".")[2]
        for _, tree in trees(*LAYERS)
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
    }
    named = {kind.__name__ for kind in CODES}
    assert {name for name in raised if name[0].isupper()} <= named


# TB-ARCH-09: no second name for anything


def test_no_layer_gives_a_thing_a_second_name():
    for place, tree in trees(*LAYERS, "tools", "store", "x", "llm"):
        for node in tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign):
                assert not isinstance(node.value, ast.Name | ast.Attribute), f"{place}: {ast.unparse(node)}"
            assert getattr(node, "name", "") != "__getattr__", place
        named = [alias.asname for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names]
        assert not any(named), place


def test_no_package_of_the_layers_exports_again():
    for place, tree in trees(*LAYERS, "tools", "store", "x", "llm"):
        if place.endswith("__init__.py"):
            assert len(tree.body) == 1, place
            assert isinstance(tree.body[0], ast.Expr), place


def test_nothing_is_deprecated():
    assert [place for place, module in imports("") if module == "warnings"] == []


# TB-ARCH-10: tools generated from endpoints


def test_every_endpoint_tool_is_generated_from_its_endpoint():
    served = catalogue(CONVERGENCE)
    assert {f"x_v2_{each.name}" for each in ENDPOINTS} == {name for name in served if name.startswith("x_v2_")}
    assert len(ENDPOINTS) == 36
    for endpoint in ENDPOINTS:
        tool = served[f"x_v2_{endpoint.name}"]
        assert set(tool.input_schema["properties"]) == {each.name for each in endpoint.parameters}
        assert tool.profiles == tuple(name for name in CONVERGENCE.profiles if name in endpoint.profiles)
        assert tool.mutation is (endpoint.method != "GET")
        assert endpoint.scopes
        gate = {ErrorCode.POLICY_ERROR, ErrorCode.SCRAPER_MUTATION_BLOCKED}
        assert (gate <= set(tool.possible_error_codes)) is tool.mutation


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: endpoint.name)
def test_an_endpoint_names_what_stands_in_its_path(endpoint):
    in_path = set(re.findall(r"\{(\w+)\}", endpoint.path))
    assert in_path <= {each.name for each in endpoint.parameters if each.required}


def test_handlers_of_endpoints_call_the_toolkit():
    own = {module for _, module in imports("tools/spec") if module.startswith(NAME)}
    assert own.isdisjoint({f"{NAME}.x.client", f"{NAME}.workflow.context"})
    for place, tree in trees("tools/spec"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Lambda):
                called = ast.unparse(node.body.func) if isinstance(node.body, ast.Call) else ""
                assert called.partition(".")[0] in ("lists", "lookups", "moderation"), f"{place}: {ast.unparse(node)}"
                assert ast.unparse(node.body.args[0]) == "c.ctx.x_client", place


def test_no_endpoint_is_registered_by_hand():
    written = {
        node.args[0].value
        for place, tree in trees("tools")
        if not place.startswith("tools/spec/")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant)
    }
    assert not [name for name in written if isinstance(name, str) and name.startswith("x_v2_")]


# TB-ARCH-12: which checks are pure

PURE = {
    "toolkit/safety.py": {"tokens", "similarity", "similar_to", "banned_phrase", "is_self_reply"},
    "toolkit/weight.py": {"weighted_length", "check_length"},
}
STATEFUL = {
    "author_limit": "workflow/reply_safety.py",
    "used_up": "workflow/policy/limits.py",
    "_of_lists": "workflow/policy/rules.py",
}


@pytest.mark.parametrize("place", list(PURE))
def test_pure_checks_are_the_toolkits(place):
    found = [each for each in functions("toolkit") if each.place == place]
    assert {each.name for each in found if not each.name.startswith("_")} == PURE[place]
    plain = {"str", "float", "Sequence[str]"}
    assert {kind for each in found for _, kind in each.parameters} <= plain
    own = {module for at, module in imports("toolkit") if at == place and module.startswith(NAME)}
    assert own <= {f"{NAME}.toolkit.errors", f"{NAME}.toolkit.emoji"}


@pytest.mark.parametrize(("name", "place"), STATEFUL.items())
def test_checks_over_a_store_or_a_policy_are_the_workflows(name, place):
    assert [each.place for each in functions("") if each.name == name] == [place]


def test_pure_checks_need_no_server():
    assert safety.similar_to("one two three four five", ["ONE two, three four five!"]) is not None
    assert safety.banned_phrase("CHECK OUT this", ["check out"]) == "check out"
    assert safety.is_self_reply("1", "1")
    with pytest.raises(TweetTooLongError):
        weight.check_length("a" * 281)
