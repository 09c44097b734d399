"""The rows of a fleet as a Parquet file."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from conformance.drive.errors import UsageError
from conformance.fleet.row import Row


def write(rows: Sequence[Row], path: Path) -> None:
    """One row a target, columns as Row has them; UsageError without the library, or where it cannot be written."""
    try:
        import pyarrow as pa  # noqa: PLC0415 -- an extra
        from pyarrow import parquet  # noqa: PLC0415 -- as above
    except ImportError as error:
        todo = 'pip install "mcp-contract-conformance[fleet]"'
        raise UsageError("the library for Parquet is not installed", "--parquet", todo=todo) from error
    kinds = {str: pa.string(), int: pa.int64(), tuple[str, ...]: pa.list_(pa.string())}
    schema = pa.schema([(field.name, kinds.get(field.type, pa.string())) for field in msgspec.structs.fields(Row)])
    try:
        parquet.write_table(pa.Table.from_pylist([msgspec.structs.asdict(row) for row in rows], schema=schema), path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written", "--parquet", error.strerror or str(error)) from error
