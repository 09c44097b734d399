"""Whatever is done to a bundle is found, and said; what cannot be found is not claimed."""

import base64
import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.bundle import files
from conformance.bundle.attestation import Judging, statement_of
from conformance.bundle.envelope import sign
from conformance.bundle.files import ENVELOPE, REPORT, SEALED, STATEMENT, TRANSCRIPT, UNSIGNED
from conformance.bundle.keys import key_of, signer_of
from conformance.bundle.refused import RefusedError
from conformance.bundle.sealing import seal, statement_text
from conformance.bundle.verifying import Verified, verify
from conformance.certify import Options, rejudge
from conformance.drive.errors import UsageError
from conformance.model.requirement import Level
from conformance.report import json as reports
from tests.unit.bundle.conftest import made

Keys = dict[str, tuple[Path, Path]]
Copy = Callable[[str], Path]


def refused(folder: Path, *keys: Path) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        verify(folder, [key_of(path) for path in keys])
    return caught.value


def payload(folder: Path) -> dict:
    """What a bundle attests."""
    if (folder / ENVELOPE).exists():
        return json.loads(base64.b64decode(json.loads((folder / ENVELOPE).read_bytes())["payload"]))
    return json.loads((folder / UNSIGNED).read_bytes())


def claimed(folder: Path, statement: dict | bytes, signer: Path | None = None) -> None:
    """Puts another statement into the attestation, signed by `signer` or by nobody."""
    data = statement if isinstance(statement, bytes) else json.dumps(statement, separators=(",", ":")).encode()
    if signer is None:
        (folder / UNSIGNED).write_bytes(data + b"\n")
    else:
        (folder / ENVELOPE).write_bytes(sign(data, signer_of(str(signer), None)))


def resealed(folder: Path, signer: Path | None = None) -> None:
    """Gives the attestation the digests of the files as they are now, as whoever changed them would."""
    statement = payload(folder)
    digests = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in SEALED}
    for subject in statement["subject"]:
        subject["digest"]["sha256"] = digests[subject["name"]]
    statement["predicate"]["configuration"][2]["digest"]["sha256"] = digests[STATEMENT]
    claimed(folder, statement, signer)


def changed(path: Path, old: bytes, new: bytes) -> None:
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new, 1))


def test_a_bundle_that_was_signed_is_verified(originals: dict[str, Path], keys: Keys) -> None:
    key = key_of(keys["ours"][1])
    found = verify(originals["signed"], [key])
    assert found.key == key.keyid
    assert found.scheme == "ed25519"
    assert found.report == reports.load(originals["signed"] / REPORT)
    assert verify(originals["signed"], [key_of(keys["theirs"][1]), key]).key == key.keyid
    assert verify(originals["signed"], [key_of(keys["ours"][0])]).key == key.keyid, "the public part of a private key"


def test_without_a_key_a_bundle_is_consistent_at_most(originals: dict[str, Path], keys: Keys) -> None:
    found: Verified = verify(originals["signed"])
    assert found.key == ""
    assert found.named == (key_of(keys["ours"][1]).keyid,)
    assert verify(originals["unsigned"]).named == ()


def test_the_attestation_says_what_was_done(originals: dict[str, Path]) -> None:
    said = payload(originals["signed"])
    assert said["_type"] == "https://in-toto.io/Statement/v1"
    assert said["predicateType"] == "https://in-toto.io/attestation/test-result/v0.1"
    assert {subject["name"] for subject in said["subject"]} == set(SEALED)
    suite, contract, statement = said["predicate"]["configuration"]
    assert suite["annotations"]["judging"]["only"] == ["TH-IDEM-01", "TH-MSG-01"]
    assert contract["annotations"]["edition"] == "004"
    assert statement["digest"]["sha256"] == hashlib.sha256((originals["signed"] / STATEMENT).read_bytes()).hexdigest()
    assert said["predicate"]["result"] == "WARNED", "a selection says less than that the contract holds"
    assert {"TH-IDEM-01", "TH-MSG-01"} <= set(said["predicate"]["passedTests"])


def test_a_run_that_fails_is_attested_as_such(tmp_path: Path) -> None:
    said = payload(made(tmp_path / "b", None, "TH-IDEM-01"))
    assert said["predicate"]["result"] == "FAILED"
    assert "TH-IDEM-01" in said["predicate"]["failedTests"]
    assert verify(tmp_path / "b").report.broken


@pytest.mark.parametrize(
    "options",
    [
        Options(stimuli=("threads.the_same_message_is_posted_twice",)),
        Options(only=("TH-MSG-*",), level=Level.MUST),
        Options(only=("TH-VER-*",), strict=True, protocol=False),
    ],
    ids=["stimuli", "level", "strict"],
)
def test_whatever_was_asked_of_the_judge_is_asked_again(tmp_path: Path, options: Options) -> None:
    folder = made(tmp_path / "b", None, options=options)
    assert verify(folder).report.selected is not None


@pytest.mark.parametrize("name", SEALED)
@pytest.mark.parametrize("kind", ["signed", "unsigned"])
def test_a_file_that_was_changed(copy: Copy, kind: str, name: str) -> None:
    folder = copy(kind)
    data = (folder / name).read_bytes()
    (folder / name).write_bytes(data[:-2] + b" " + data[-2:])
    assert refused(folder).what.startswith(f"{name} was changed: its SHA-256 is ")


@pytest.mark.parametrize("name", [*SEALED, UNSIGNED])
def test_a_file_that_was_removed(copy: Copy, name: str) -> None:
    folder = copy("unsigned")
    (folder / name).unlink()
    assert name in refused(folder).what


def test_a_file_that_was_added(copy: Copy) -> None:
    folder = copy("signed")
    (folder / "note\x1b[31m.txt").write_text("trust me")
    said = refused(folder).what
    assert said.endswith("does not belong to the bundle")
    assert "\x1b" not in said


def test_two_attestations(copy: Copy) -> None:
    folder = copy("signed")
    (folder / UNSIGNED).write_bytes(b"{}")
    assert "two attestations" in refused(folder).what


@pytest.mark.parametrize("name", [*SEALED, ENVELOPE])
def test_a_symbolic_link(copy: Copy, name: str, tmp_path: Path) -> None:
    folder = copy("signed")
    (folder / name).rename(tmp_path / "elsewhere")
    (folder / name).symlink_to(tmp_path / "elsewhere")
    assert refused(folder).what == f"{name} is a symbolic link"


def test_what_is_no_file(copy: Copy) -> None:
    folder = copy("signed")
    (folder / REPORT).unlink()
    os.mkfifo(folder / REPORT)
    assert refused(folder).what == f"{REPORT} is no ordinary file"
    (folder / REPORT).unlink()
    (folder / REPORT).mkdir()
    assert refused(folder).what == f"{REPORT} is no ordinary file"


@pytest.mark.parametrize("name", [*SEALED, ENVELOPE])
def test_a_huge_file_is_not_read(copy: Copy, name: str) -> None:
    folder = copy("signed")
    os.truncate(folder / name, files.LARGEST[name] + 1)
    assert refused(folder).what.startswith(f"{name} has {files.LARGEST[name] + 1:,} bytes")


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        verify(tmp_path / "nowhere")


def test_another_key(originals: dict[str, Path], keys: Keys) -> None:
    said = refused(originals["signed"], keys["theirs"][1])
    assert key_of(keys["ours"][1]).keyid in said.what
    assert key_of(keys["theirs"][1]).keyid in said.what


def test_a_signature_is_asked_for_and_there_is_none(originals: dict[str, Path], keys: Keys) -> None:
    assert refused(originals["unsigned"], keys["ours"][1]).what.startswith("nobody signed the bundle")


def test_an_attestation_whose_payload_was_changed(copy: Copy, keys: Keys) -> None:
    folder = copy("signed")
    envelope = json.loads((folder / ENVELOPE).read_bytes())
    said = base64.b64decode(envelope["payload"]).replace(b'"WARNED"', b'"PASSED"')
    envelope["payload"] = base64.b64encode(said).decode()
    (folder / ENVELOPE).write_text(json.dumps(envelope))
    assert "does not hold" in refused(folder, keys["ours"][1]).what
    assert "says something else than the report" in refused(folder).what, "nor without a key"


def test_a_signature_of_somebody_else_under_the_name_of_the_signer(copy: Copy, keys: Keys) -> None:
    folder = copy("signed")
    resealed(folder, keys["theirs"][0])
    envelope = json.loads((folder / ENVELOPE).read_bytes())
    envelope["signatures"][0]["keyid"] = key_of(keys["ours"][1]).keyid
    (folder / ENVELOPE).write_text(json.dumps(envelope))
    assert "does not hold" in refused(folder, keys["ours"][1]).what


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "no DSSE envelope"),
        (b"[" * 100_000, "no DSSE envelope"),
        (b'{"payload": 1, "payloadType": "x", "signatures": []}', "no DSSE envelope"),
        (b'{"payload": "", "payloadType": "text/html", "signatures": []}', "holds text/html"),
        (b'{"payload": "", "payloadType": "application/vnd.in-toto+json", "signatures": []}', "has no signature"),
        (
            b'{"payload": "", "payloadType": "application/vnd.in-toto+json", "signatures": [{"sig": "!"}]}',
            "signature of the envelope is not base64",
        ),
        (
            b'{"payload": "e30=", "payloadType": "application/vnd.in-toto+json", "signatures": [{"sig": "AA=="}]}',
            "no in-toto statement",
        ),
    ],
)
def test_an_envelope_that_is_none(copy: Copy, data: bytes, why: str) -> None:
    folder = copy("signed")
    (folder / ENVELOPE).write_bytes(data)
    assert why in refused(folder).what


@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize(
    ("place", "value", "why"),
    [
        (("_type",), "https://in-toto.io/Statement/v0.1", "a statement of the type"),
        (("predicateType",), "https://slsa.dev/provenance/v1", "a predicate of the type"),
        (("predicate", "result"), "PASSED", "something else than the report"),
        (("predicate", "failedTests"), ["TH-MSG-01"], "something else than the report"),
        (("predicate", "extra"), "trust me", "something else than the report"),
        (("predicate", "configuration", 0, "annotations", "version"), "$(reboot)", "names no version"),
        (("predicate", "configuration", 0, "annotations", "judging"), {"only": 7}, "does not say how to judge"),
        (
            ("predicate", "configuration", 0, "annotations", "judging", "only"),
            ["TH-MSG-01"],
            "not the report that the transcript gives",
        ),
        (("predicate", "configuration", 1, "annotations", "contract"), "tasks", "something else than the report"),
        (("subject",), [], "has no digest of transcript.jsonl"),
    ],
)
def test_a_statement_that_says_something_else_whoever_signs_it(
    copy: Copy, keys: Keys, place: tuple[str | int, ...], value: object, why: str, signed: bool
) -> None:
    folder = copy("signed" if signed else "unsigned")
    statement = payload(folder)
    inner = statement
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    claimed(folder, statement, keys["ours"][0] if signed else None)
    assert why in refused(folder, *([keys["ours"][1]] if signed else [])).what


def test_a_statement_that_two_readers_would_read_differently(copy: Copy) -> None:
    folder = copy("unsigned")
    twice = (folder / UNSIGNED).read_bytes().replace(b'"result":"WARNED"', b'"result":"PASSED","result":"WARNED"')
    claimed(folder, twice.strip())
    assert "something else than the report" in refused(folder).what


def test_another_version_of_the_suite_is_named_with_the_way_to_get_it(copy: Copy, keys: Keys) -> None:
    folder = copy("signed")
    statement = payload(folder)
    statement["predicate"]["configuration"][0]["annotations"] = {"version": "0.9.2", "judging": {"later": True}}
    claimed(folder, statement, keys["ours"][0])
    said = refused(folder, keys["ours"][1])
    assert "version 0.9.2" in said.what
    assert "uvx --from 'mcp-contract-conformance[certify]==0.9.2' conformance verify" in said.todo


@pytest.mark.parametrize("signed", [True, False])
def test_a_report_that_the_transcript_does_not_give_whoever_seals_it(copy: Copy, keys: Keys, signed: bool) -> None:
    folder = copy("signed" if signed else "unsigned")
    changed(folder / REPORT, b'"verdict": "pass"', b'"verdict": "warn"')
    resealed(folder, keys["ours"][0] if signed else None)
    assert "TH-MSG-01 is pass, and the report says warn" in refused(folder).what


def test_a_report_that_says_the_same_in_other_words(copy: Copy) -> None:
    folder = copy("unsigned")
    (folder / REPORT).write_bytes((folder / REPORT).read_bytes() + b"\n")
    resealed(folder)
    assert "written in another form" in refused(folder).what
    changed(folder / REPORT, b'"seed": 1', b'"seed": 2')
    resealed(folder)
    assert "`seed` is 1, and the report says 2" in refused(folder).what
    (folder / REPORT).write_bytes(b"[]")
    resealed(folder)
    assert "report.json is no report" in refused(folder).what


def test_a_transcript_with_a_line_changed_whoever_seals_it(copy: Copy) -> None:
    folder = copy("unsigned")
    changed(folder / TRANSCRIPT, b'"post_message"', b'"post_massage"')
    resealed(folder)
    assert "was changed" in refused(folder).what


def test_a_transcript_that_is_none(copy: Copy) -> None:
    folder = copy("unsigned")
    (folder / TRANSCRIPT).write_bytes(b"[" * 50_000)
    resealed(folder)
    assert "the transcript cannot be judged" in refused(folder).what


def test_another_statement_of_the_target(copy: Copy) -> None:
    folder = copy("unsigned")
    (folder / STATEMENT).write_bytes(b"{}\n")
    resealed(folder)
    assert refused(folder).what.startswith(f"{STATEMENT} is not what the transcript says")


def test_only_what_a_verifier_finds_again_is_sealed(copy: Copy) -> None:
    folder = copy("unsigned")
    options = Options(only=("TH-IDEM-01",))
    report = rejudge(folder / TRANSCRIPT, options)
    with pytest.raises(UsageError, match="does not give the report of the run again"):
        seal(folder, report, Options(only=("TH-MSG-01",)), how=None)  # type: ignore[arg-type] # it is not come to


def test_a_statement_is_the_same_octets_each_time(originals: dict[str, Path]) -> None:
    folder = originals["unsigned"]
    digests = {name: files.digest(folder, name) for name in SEALED}
    judging = Judging(only=("TH-IDEM-01", "TH-MSG-01"))
    report = rejudge(folder / TRANSCRIPT, judging.options())
    assert statement_of(report, judging, digests, ()) + b"\n" == (folder / UNSIGNED).read_bytes()
    assert statement_text(folder / TRANSCRIPT) == (folder / STATEMENT).read_bytes()
