"""Media files: which X takes, reading and uploading them."""

from pathlib import Path
from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.toolkit.errors import FileReadError, MediaUploadError, UnsupportedMediaTypeError
from reference_server.tuitbot.x.failure import XFailureError
from reference_server.tuitbot.x.protocol import XClient

IMAGE_LIMIT: Final = 5_000_000
LIMITS: Final = {
    "image/jpeg": IMAGE_LIMIT,
    "image/png": IMAGE_LIMIT,
    "image/webp": IMAGE_LIMIT,
    "image/gif": 15_000_000,
    "video/mp4": 512_000_000,
}
"""Bytes that X takes of each type."""
TYPES: Final = {
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
    ".gif": "image/gif",
    ".mp4": "video/mp4",
}


def media_type(file_path: str) -> str:
    """The media type by the extension, in any case. UnsupportedMediaTypeError: any other."""
    extension = Path(file_path).suffix.lower()
    if extension not in TYPES:
        known = ", ".join(sorted(TYPES))
        raise UnsupportedMediaTypeError(f"the extension {extension!r} is not supported; supported are {known}")
    return TYPES[extension]


def read_media(file_path: str, limit: int) -> bytes:
    """The file's bytes. FileReadError: no readable file, or larger than `limit` bytes."""
    path = Path(file_path)
    try:
        # asked before opening: a pipe would block, a device never end
        if not path.is_file():
            raise FileReadError(f"{file_path!r} is not a file")
        if path.stat().st_size > limit:
            raise FileReadError(f"{file_path!r} is larger than {limit} bytes")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise FileReadError(f"{file_path!r} cannot be read: {error}") from error


def inspect_media(file_path: str, alt_text: str | None) -> dict[str, Json]:
    """What uploading a file would come to, without uploading it."""
    kind = media_type(file_path)
    size = len(read_media(file_path, LIMITS[kind]))
    return {"dry_run": True, "valid": True, "media_type": kind, "file_size_bytes": size, "alt_text": alt_text}


def upload_media(client: XClient, file_path: str, alt_text: str | None = None) -> dict[str, Json]:
    """Uploads a file; `{media_id, media_type, file_size_bytes}`. MediaUploadError: X did not take it."""
    kind = media_type(file_path)
    content = read_media(file_path, LIMITS[kind])
    try:
        media_id = client.upload(content, kind)
    except XFailureError as failure:
        raise MediaUploadError(f"the upload failed: {failure}") from failure
    shown = {"media_id": media_id, "media_type": kind, "file_size_bytes": len(content)}
    return shown if alt_text is None else {**shown, "alt_text": alt_text}
