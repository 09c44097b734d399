"""The name of a run: by it what one run makes is told from what another one made."""

import random
import string


def name_of_run(seed: int) -> str:
    """What stands in every name that a run makes up."""
    return "".join(random.Random(seed).choices(string.ascii_lowercase + string.digits, k=8))  # noqa: S311 -- names, no secrets
