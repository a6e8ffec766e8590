"""Checksums of things whose order does not matter."""

from application.operation.archive.digest import Digest


def digest(*items: object) -> tuple[int, str]:
    found = Digest()
    found.add(items)
    return found.count, found.text


def test_the_order_of_items_does_not_matter() -> None:
    assert digest((1, "a"), (2, None)) == digest((2, None), (1, "a"))


def test_a_changed_doubled_or_lost_item_matters() -> None:
    whole = digest((1, "a"), (2, b"b"))

    others = {digest((1, "a"), (2, b"c")), digest((1, "a"), (1, "a")), digest((1, "a"))}

    assert whole not in others
    assert len(others) == 3


def test_types_are_told_apart() -> None:
    assert (
        len({digest((1,)), digest((1.0,)), digest(("1",)), digest((b"1",)), digest((True,))}) == 5
    )
