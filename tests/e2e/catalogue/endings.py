"""How a server starts and ends."""

import os
import signal
import subprocess
import sys
import time

from kinds import Json, Older, RefusedError, Server, behaviour


@behaviour("it cannot start")
class CannotStart(Server):
    """It says why."""

    def stdio(self) -> None:
        """Ends."""
        sys.exit("no configuration at /etc/it.toml")


@behaviour("it takes two seconds to start")
class Slow(Server):
    """An ordinary server then."""

    def stdio(self) -> None:
        """Waits, then serves."""
        time.sleep(2)
        super().stdio()


@behaviour("it ends at a ping")
class EndsAtPing(Older):
    """Nothing else does it harm."""

    def answer(self, message: Json) -> Json | None:
        """Ends there."""
        if message.get("method") == "ping":
            os._exit(9)
        return super().answer(message)


@behaviour("it goes on in another process")
class GoesOn(Server):
    """The process that was started ends at once; its child has the pipes, and a session of its own."""

    def stdio(self) -> None:
        """Leaves."""
        if os.fork():
            os._exit(0)
        os.setsid()
        super().stdio()


@behaviour("it never says a word")
class Mute(Server):
    """It reads all the same."""

    def answer(self, message: Json) -> Json | None:
        """Nothing."""
        return None


class AtACall(Server):
    """Does something at the first call."""

    def call(self, params: Json) -> Json:
        """Does it; goes on as if nothing were."""
        self.done()
        return super().call(params)

    def done(self) -> None:
        """What is done."""
        raise NotImplementedError


@behaviour("a call hangs")
class Hangs(AtACall):
    """Without a word."""

    def done(self) -> None:
        """For an hour."""
        time.sleep(3600)


@behaviour("it ends at a call")
class Ends(AtACall):
    """With a status."""

    def done(self) -> None:
        """Says why."""
        print("out of cheese", file=sys.stderr, flush=True)
        os._exit(7)


@behaviour("it kills itself")
class Kills(AtACall):
    """As the system does where memory is short."""

    def done(self) -> None:
        """By SIGKILL."""
        os.kill(os.getpid(), signal.SIGKILL)


@behaviour("it stops itself")
class Stops(AtACall):
    """It is there and does not run."""

    def done(self) -> None:
        """By SIGSTOP."""
        os.kill(os.getpid(), signal.SIGSTOP)


@behaviour("it closes stdout and goes on")
class Closes(AtACall):
    """Nothing can come any more."""

    def done(self) -> None:
        """Waits for an hour."""
        os.close(1)
        time.sleep(3600)


@behaviour("it ends in the middle of a line")
class Midway(AtACall):
    """Half an answer comes."""

    def done(self) -> None:
        """Writes the beginning."""
        sys.stdout.write('{"jsonrpc": "2.0", "id": 3, "result": {"con')
        sys.stdout.flush()
        os._exit(0)


@behaviour("every second process dies")
class Dies(AtACall):
    """At its third call."""

    count = 0

    def done(self) -> None:
        """Counts."""
        self.count += 1
        if self.count == 3:
            os._exit(1)


@behaviour("it stays when it is asked to end")
class Stays(Server):
    """At a closed stdin, and at SIGTERM."""

    def stdio(self) -> None:
        """Goes on for ever."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        super().stdio()
        time.sleep(3600)


@behaviour("it leaves a child behind")
class Leaves(Server):
    """Which holds its pipes, in a session of its own."""

    def stdio(self) -> None:
        """Starts it."""
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"], start_new_session=True)
        super().stdio()


@behaviour("each call takes half a second")
class Takes(AtACall):
    """It is slow, and right."""

    def done(self) -> None:
        """Waits."""
        time.sleep(0.5)


@behaviour("it refuses after twenty calls")
class Tired(AtACall):
    """A limit on the rate, as many servers have it."""

    count = 0

    def done(self) -> None:
        """Counts."""
        self.count += 1
        if self.count > 20:
            raise RefusedError(-32000, "rate limit exceeded, retry in 3600 s")
