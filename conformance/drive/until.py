"""What ends a command that goes on by itself: Ctrl-C, SIGTERM, a terminal that is closed."""

import asyncio
import contextlib
import signal


def interruptible() -> None:
    """From now on each of these cancels the task that is running."""
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is None or (name == "SIGHUP" and signal.getsignal(number) is signal.SIG_IGN):
            continue  # nohup: it is to go on
        # Outside the main thread, and where signals are not to be had, a run simply cannot be interrupted so.
        with contextlib.suppress(NotImplementedError, ValueError, RuntimeError):
            loop.add_signal_handler(number, lambda: task.cancel() if task is not None else None)
