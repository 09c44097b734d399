"""Says where it listens in its own way: argv[1], in which PORT is the port; `at` PORT: listens there."""

import sys
import time

from httpbase import Handler, Listener

listener = Listener(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 0), Handler)
print("loading the model", flush=True)
time.sleep(0.3)
if sys.argv[1]:
    print(sys.argv[1].replace("PORT", str(listener.server_port)), flush=True)
listener.serve_forever()
