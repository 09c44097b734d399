"""After its tenth request it is gone for two seconds, then back at its port; `for good`: it ends, with status 4."""

import os
import sys
import threading
import time

from base import Json
from httpbase import Handler, Listener

count = 0
over = threading.Event()


class Tired(Handler):
    """Counts."""

    def message(self, message: Json) -> None:
        """Ends after the tenth."""
        global count  # noqa: PLW0603 -- one server
        count += 1
        self.close_connection = True
        super().message(message)
        if count == 10:
            over.set()


listener = Listener(("127.0.0.1", 0), Tired)
print(f"listening on http://127.0.0.1:{listener.server_port}", file=sys.stderr, flush=True)
threading.Thread(target=listener.serve_forever, daemon=True).start()
over.wait()
listener.shutdown()
listener.server_close()
if "for good" in sys.argv:
    print("out of memory", file=sys.stderr, flush=True)
    os._exit(4)
time.sleep(2)
Listener(("127.0.0.1", listener.server_port), Tired).serve_forever()
