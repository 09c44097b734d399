"""Contracts from anywhere: how they are found and read."""

import shutil
import sys
from importlib.metadata import EntryPoint

import pytest

from conformance.certify import contract_of
from conformance.contract import registry
from conformance.contract.catalogue import load, names, requirement
from conformance.drive.errors import UsageError
from conformance.drive.library import bench_of, import_stimuli
from conformance.judge.law import LAWS
from conformance.judge.library import import_laws
from tests.unit.own_contracts.conftest import NOTES


def test_a_module_gives_a_folder_or_a_contract(tmp_path, folder, monkeypatch):
    lines = ("from pathlib import Path", "from conformance.certify import contract_of", f"TEXT = {str(folder)!r}")
    more = ("PATH = Path(TEXT)", "CONTRACT = contract_of(TEXT)", "def made():", "    return CONTRACT", "NUMBER = 7")
    (tmp_path / "a_module_of_contracts.py").write_text("\n".join((*lines, *more)), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for attribute in ("TEXT", "PATH", "CONTRACT", "made"):
        assert contract_of(f"a_module_of_contracts:{attribute}").folder == folder
    with pytest.raises(UsageError, match="has no NUMBER that gives a contract or the path of its folder"):
        contract_of("a_module_of_contracts:NUMBER")


def test_a_folder_is_a_contract_with_defaults():
    about = contract_of(str(NOTES))
    assert (about.name, about.edition, about.protocol) == ("notes", "1", "mcp")
    assert about.foundation == load("mcp").carries
    assert about.roots == ("NOTE-SERVED",)
    assert {(r.level, r.source) for r in about.requirements.values()} == {("MUST", about.title)}
    assert about.requirements["NOTE-KEY"].statement.startswith("save_note called again with the same request_key")


def test_a_named_contract_is_known_by_its_name_from_then_on():
    assert "notes" not in names()
    contract_of(str(NOTES))
    assert "notes" in names()
    found = requirement("NOTE-KEY")
    assert found is not None
    assert found.contract == "notes"


def test_a_changed_folder_is_read_again(folder):
    first = contract_of(str(folder))
    path = folder / "errors.toml"
    path.write_text(path.read_text("utf-8").replace("there is no such note", "it is not there"), "utf-8")
    second = contract_of(str(folder))
    assert first.digest != second.digest
    assert second.errors["NOT_FOUND"].meaning == "it is not there"


def test_a_path_begins_at_its_base(folder):
    assert contract_of("./contract", base=folder.parent).name == "notes"


def test_the_folder_of_an_installed_contract_is_that_contract():
    assert contract_of(str(load("threads").folder)) is load("threads")


def test_a_name_that_the_folder_does_not_say_is_the_project_s(folder):
    path = folder / "contract.toml"
    path.write_text(path.read_text("utf-8").replace('name = "notes"\n', ""), "utf-8")
    assert contract_of(str(folder)).name == folder.parent.name


def test_a_module_gives_a_folder(folder, monkeypatch):
    package = folder.parent / "own_notes_package"
    package.mkdir()
    (package / "__init__.py").write_text(f"HERE = {str(folder)!r}\n\ndef made():\n    return HERE\n", "utf-8")
    monkeypatch.syspath_prepend(str(folder.parent))
    assert contract_of("own_notes_package:HERE").name == "notes"
    assert contract_of("own_notes_package:made").name == "notes"
    for wrong in ("own_notes_package:nothing", "no_such_package:HERE"):
        with pytest.raises(UsageError):
            contract_of(wrong)


def test_an_entry_point_leads_to_a_package_with_its_python(folder, monkeypatch):
    package = folder.parent / "installed_notes"
    shutil.copytree(folder, package)
    (package / "__init__.py").write_text("", "utf-8")
    monkeypatch.syspath_prepend(str(folder.parent))
    point = EntryPoint(name="notes", value="installed_notes", group=registry.GROUP)
    monkeypatch.setattr(registry, "_points", lambda: {"notes": point, "mcp": _point("mcp")})
    registry._installed.cache_clear()
    about = load("notes")
    assert (about.package, about.digest) == ("installed_notes", "")
    registry._installed.cache_clear()


def _point(name: str) -> EntryPoint:
    return EntryPoint(name=name, value=f"conformance.contracts.{name}:FOLDER", group=registry.GROUP)


def test_python_may_stand_beside_the_data(folder):
    (folder / "laws").mkdir()
    (folder / "laws" / "__init__.py").write_text("", "utf-8")
    (folder / "laws" / "own.py").write_text(
        "from conformance.judge.law import law\nfrom conformance.model.verdict import HELD\n\n"
        '@law("NOTE-OWN")\ndef a_law(history, contract):\n    """It holds."""\n    yield HELD\n',
        "utf-8",
    )
    path = folder / "requirements.toml"
    row = '    { id = "NOTE-OWN", statement = "It holds." },\n]'
    path.write_text(path.read_text("utf-8").rstrip().removesuffix("]") + row, "utf-8")
    about = contract_of(str(folder))
    try:
        import_laws(about)
        assert LAWS["NOTE-OWN"].sentence == "It holds."
    finally:
        LAWS.pop("NOTE-OWN", None)
        for name in [name for name in sys.modules if name.startswith("conformance_contract_")]:
            del sys.modules[name]


def test_without_python_nothing_is_imported():
    about = contract_of(str(NOTES))
    assert about.package == ""
    assert bench_of(about).__name__ == "Bench"
    exercised = {name for plan in import_stimuli(about) for name in plan.exercises}
    assert exercised == set(about.requirements)
