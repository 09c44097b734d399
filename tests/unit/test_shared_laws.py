"""What is told of the shared laws: all of them, each field, and examples that are tried elsewhere."""

import tomllib
from pathlib import Path
from typing import get_args

from conformance.cli.main import main
from conformance.contract import promises as p
from conformance.contract.laws import laws, tables

TESTS = Path(__file__).parents[1]
TRIED = (
    TESTS.parent / "fixtures" / "notes" / "contract",
    *(
        TESTS / "e2e" / "own" / f"{name}_contract"
        for name in ("tickets", "jobs", "rooms", "shelf", "named", "graph", "albums")
    ),
)
"""Contracts that are run, and broken promise by promise, in tests/e2e."""


def test_every_law_has_its_words():
    assert len(laws()) == len(get_args(p.Promise))
    for law in laws().values():
        assert law.says.endswith("."), law.name
        assert all(field.says and field.kind for field in law.fields), law.name
    assert {"make", "id", "states"} <= {field.name for field in tables()["[[make]]"][1]}


def test_every_example_is_one_that_is_tried():
    tried = [
        row["promise"]
        for folder in TRIED
        for row in tomllib.loads((folder / "requirements.toml").read_text("utf-8"))["requirement"]
    ]
    for law in laws().values():
        assert tomllib.loads(f"promise = {law.sample}")["promise"] in tried, law.name


def test_the_command_tells_one_and_all(capsys):
    assert main(["contract", "laws"]) == 0
    every = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in every[: len(laws())]] == list(laws())
    assert main(["contract", "laws", "refused"]) == 0
    told = capsys.readouterr().out
    assert "unknown, taken, invalid, missing, role, condition or exhausted" in told
    assert f"promise = {laws()['refused'].sample}" in told
    assert main(["explain", "refused"]) == 0
    assert capsys.readouterr().out == told


def test_a_law_that_there_is_not(capsys):
    assert main(["contract", "laws", "Bared"]) == 2
    assert "did you mean barred?" in capsys.readouterr().err
    assert main(["explain", "Barred"]) == 0
    assert capsys.readouterr().out.startswith("barred")
    assert main(["contract", "laws", "zzz"]) == 2
    assert "conformance contract laws lists them" in capsys.readouterr().err
