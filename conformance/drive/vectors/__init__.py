"""Arguments that satisfy a schema, and arguments that break exactly one keyword of it."""

from conformance.drive.vectors.choosing import Vector as Vector
from conformance.drive.vectors.frozen import frozen as frozen
from conformance.drive.vectors.making import made as made
from conformance.drive.vectors.vector import vectors as vectors
