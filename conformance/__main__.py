"""`python -m conformance`: the same as `conformance`."""

import sys

from conformance.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
