"""Files of ordinary kinds, as a run makes them in a folder of its own."""

import base64
import sqlite3
import subprocess
import zipfile
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from pathlib import Path
from types import MappingProxyType

PATIENCE_S = 10.0
TEXTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "text": ("notes.txt", "hello\nan example text\n"),
        "markdown": ("notes.md", "# Notes\n\nhello, an example text\n"),
        "json": ("data.json", '{"name": "example", "numbers": [1, 2, 3]}\n'),
        "csv": ("table.csv", "id,name\n1,example\n2,hello\n"),
        "html": ("page.html", "<!doctype html><title>Example</title><p>hello</p>\n"),
        "code": ("example.py", 'def greet() -> str:\n    return "hello"\n'),
    }
)
_OFFICE = "http://schemas.openxmlformats.org"
_SHEETS = f"{_OFFICE}/spreadsheetml/2006/main"
_RELATED = f"{_OFFICE}/officeDocument/2006/relationships"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
WORKBOOK: Mapping[str, str] = MappingProxyType(
    {
        "[Content_Types].xml": (
            f'<Types xmlns="{_OFFICE}/package/2006/content-types"><Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{_KIND}.sheet.main+xml"/>'
            f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_KIND}.worksheet+xml"/></Types>'
        ),
        "_rels/.rels": (
            f'<Relationships xmlns="{_OFFICE}/package/2006/relationships"><Relationship Id="rId1" '
            f'Type="{_RELATED}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
        ),
        "xl/workbook.xml": (
            f'<workbook xmlns="{_SHEETS}" xmlns:r="{_RELATED}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/>'
            "</sheets></workbook>"
        ),
        "xl/_rels/workbook.xml.rels": (
            f'<Relationships xmlns="{_OFFICE}/package/2006/relationships"><Relationship Id="rId1" '
            f'Type="{_RELATED}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'
        ),
        "xl/worksheets/sheet1.xml": (
            f'<worksheet xmlns="{_SHEETS}"><dimension ref="A1:B2"/><sheetData>'
            '<row r="1"><c r="A1" t="inlineStr"><is><t>id</t></is></c>'
            '<c r="B1" t="inlineStr"><is><t>name</t></is></c></row>'
            '<row r="2"><c r="A2"><v>1</v></c><c r="B2" t="inlineStr"><is><t>example</t></is></c></row>'
            "</sheetData></worksheet>"
        ),
    }
)
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def _text(folder: Path, kind: str) -> Path:
    name, text = TEXTS[kind]
    (folder / name).write_text(text, "utf-8")
    return folder / name


def _image(folder: Path) -> Path:
    path = folder / "pixel.png"
    path.write_bytes(PIXEL)
    return path


def _workbook(folder: Path) -> Path:
    """A spreadsheet of Office Open XML with one sheet of two rows."""
    path = folder / "example.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in WORKBOOK.items():
            archive.writestr(name, f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n{text}')
    return path


def _database(folder: Path) -> Path:
    path = folder / "example.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "CREATE TABLE example (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO example VALUES (1, 'a')"
        )
        database.commit()
    return path


def _repository(folder: Path) -> Path:
    """A Git repository with one commit and one new file; LookupError where this machine has no Git."""
    path = folder / "repository"
    path.mkdir(exist_ok=True)
    (path / "notes.txt").write_text("hello\n", "utf-8")
    who = ["-c", "user.name=example", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
    try:
        for words in (["init", "-q", "-b", "main"], ["add", "."], [*who, "commit", "-q", "-m", "first"]):
            subprocess.run(["git", *words], cwd=path, check=True, capture_output=True, timeout=PATIENCE_S)  # noqa: S603, S607 -- words of ours
    except (OSError, subprocess.SubprocessError) as error:
        raise LookupError("repository") from error
    (path / "new.txt").write_text("hello\n", "utf-8")
    return path


MAKING: Mapping[str, Callable[[Path], Path]] = MappingProxyType(
    {
        **{kind: partial(_text, kind=kind) for kind in TEXTS},
        "folder": lambda folder: folder,
        "image": _image,
        "workbook": _workbook,
        "database": _database,
        "repository": _repository,
    }
)
"""By kind: makes it in a folder, and gives its path."""
