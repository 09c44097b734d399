"""Cannot start, and says why on stderr."""

import sys

print("some banner", file=sys.stderr)
print("boom: no such database", file=sys.stderr)
sys.exit(3)
