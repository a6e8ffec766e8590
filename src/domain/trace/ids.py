"""Ids of spans in trees of runs that run other runs."""


def prefix(run_id: int, each: int, number: int) -> str:
    """Return what tells spans of other runs and later stretches from the first of the run."""
    run = "" if each == run_id else f"r{each}."
    return run if number == 1 else f"{run}{number}-"
