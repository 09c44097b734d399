"""What is there already is let be by the garbage collector, where the process is the suite's own."""

import gc

from conformance import collector


def test_what_is_there_is_set_aside_while_it_lasts_where_the_process_is_ours() -> None:
    before, others = gc.get_threshold(), gc.get_freeze_count()
    try:
        collector.seldom()
        with collector.settled():
            assert gc.get_freeze_count() > others
        assert gc.get_freeze_count() == 0
    finally:
        gc.set_threshold(*before)


def test_the_collector_of_another_process_is_not_ours() -> None:
    before = gc.get_freeze_count()
    assert gc.get_threshold()[0] != collector.NEW
    with collector.settled():
        assert gc.get_freeze_count() == before
