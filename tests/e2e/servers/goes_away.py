"""After its tenth request it is gone for two seconds, then back at its port; `for good`: it ends at the eleventh."""

import os
import sys
import threading
import time

from base import Json
from httpbase import Handler, Listener

GOOD = "for good" in sys.argv
count = 0
over = threading.Event()


class Tired(Handler):
    """Counts."""

    def message(self, message: Json) -> None:
        """Ends after the tenth."""
        global count  # noqa: PLW0603 -- one server
        count += 1
        self.close_connection = True
        if count > 10 and GOOD:
            # with a call in its hands: one that ended between two calls would be started again, and nothing lost
            print("out of memory", file=sys.stderr, flush=True)
            os._exit(4)
        super().message(message)
        if count == 10 and not GOOD:
            over.set()


listener = Listener(("127.0.0.1", 0), Tired)
print(f"listening on http://127.0.0.1:{listener.server_port}", file=sys.stderr, flush=True)
threading.Thread(target=listener.serve_forever, daemon=True).start()
over.wait()
listener.shutdown()
listener.server_close()
time.sleep(2)
Listener(("127.0.0.1", listener.server_port), Tired).serve_forever()
