"""Takes a while to start: argv[1] seconds."""

import sys
import time

from base import Older, Server

time.sleep(float(sys.argv[1]))
(Older if "older" in sys.argv else Server)().stdio()
