"""Work that is spread: each item comes back once, whatever becomes of the processes that do it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from distributed import Client

from conformance.drive.errors import UsageError
from conformance.engine import DASK, Engine, Lost, spread


def doubled(number: int) -> int:
    return 2 * number


def ends_its_process(item: tuple[str, int]) -> int:
    """Ends its process: always where the number is 13; where it is 7, the first time alone, as the file tells."""
    folder, number = item
    if number == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    mark = Path(folder, str(number))
    if number == 7 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def slowly(item: tuple[str, int]) -> int:
    """Notes that it began, and takes a while."""
    folder, number = item
    with Path(folder, f"{number}.{os.getpid()}").open("w"):
        time.sleep(0.15)
    return number


def test_each_item_comes_back_once() -> None:
    assert sorted(spread(doubled, range(25), Engine(2))) == [(n, 2 * n) for n in range(25)]


def test_nothing_is_spread_without_items() -> None:
    assert list(spread(doubled, (), Engine(2))) == []


def test_a_job_that_kills_its_process_costs_itself_alone(tmp_path: Path) -> None:
    items = [(str(tmp_path), number) for number in range(20)]
    found = {number: result for (_, number), result in spread(ends_its_process, items, Engine(2))}
    assert isinstance(found.pop(13), Lost)
    assert found == {number: number for number in range(20) if number != 13}


def begins(folder: str) -> int:
    """Notes its process, and works for long."""
    Path(folder, str(os.getpid())).touch()
    time.sleep(300)
    return 0


def test_no_process_is_left_when_the_suite_is_killed(tmp_path: Path) -> None:
    code = (
        "from conformance.engine import Engine, spread\n"
        "from tests.unit.fleet.test_engine import begins\n"
        f"if __name__ == '__main__': list(spread(begins, [{str(tmp_path)!r}] * 2, Engine(2)))"
    )
    script = tmp_path.with_suffix(".py")
    script.write_text(code, "utf-8")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[3]), *sys.path])}
    suite = subprocess.Popen([sys.executable, str(script)], env=env)
    try:
        for _ in range(600):
            if len(list(tmp_path.iterdir())) == 2:
                break
            time.sleep(0.05)
    finally:
        suite.kill()
        suite.wait()
    begun = [int(path.name) for path in tmp_path.iterdir()]
    assert len(begun) == 2
    for _ in range(600):
        if not any(map(_runs, begun)):
            break
        time.sleep(0.05)
    assert not any(map(_runs, begun))


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # one that nobody waits for any more has ended as well
    status = Path(f"/proc/{process}/stat")
    return not (status.exists() and ") Z " in status.read_text())


def test_a_name_that_no_engine_has_is_said() -> None:
    with pytest.raises(UsageError, match="dask://HOST:PORT"):
        Engine(1, "slurm")


def test_a_scheduler_that_does_not_answer_is_said() -> None:
    with pytest.raises(UsageError, match="no Dask scheduler answers"):
        list(spread(doubled, [1], Engine(1, f"{DASK}127.0.0.1:1")))


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list["subprocess.Popen[bytes]"]]]:
    """A scheduler and two workers on this machine, each a process."""
    address = tmp_path / "scheduler.json"
    words = ["--scheduler-file", str(address)]
    started = [_dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", *words)]
    try:
        for _ in range(400):
            if address.exists():
                break
            time.sleep(0.05)
        for number in range(2):
            folder = str(tmp_path / f"worker-{number}")
            started.append(
                _dask("worker", *words, "--nthreads", "1", "--no-dashboard", "--no-nanny", "--local-directory", folder)
            )
        with Client(scheduler_file=str(address), timeout="30s") as client:
            client.wait_for_workers(2, timeout=60)
            place = client.scheduler.address.removeprefix("tcp://")
        yield f"{DASK}{place}", started[1:]
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()


def _dask(*words: str) -> "subprocess.Popen[bytes]":
    # the workers have to find this module
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def test_a_worker_of_a_cluster_may_be_killed(
    cluster: tuple[str, list["subprocess.Popen[bytes]"]], tmp_path: Path
) -> None:
    engine, workers = cluster
    folder = tmp_path / "begun"
    folder.mkdir()
    found = []
    for (_, number), result in spread(slowly, [(str(folder), n) for n in range(24)], Engine(4, engine)):
        assert result == number
        found.append(number)
        if len(found) == 4:
            workers[0].kill()
    assert sorted(found) == list(range(24)), "nothing is lost, and nothing comes twice"
    by = {path.suffix for path in folder.iterdir()}
    assert len(by) == 2, "both workers had begun to work"
