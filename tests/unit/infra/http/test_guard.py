"""The gate: every address of a name is checked, and the name is looked up once."""

import asyncio
import re
from collections.abc import Sequence

import pytest

from infra.contract.egress import EgressDenied
from infra.impl.http.address import AddressPolicy
from infra.impl.http.guard import Guard, PeerRefused, UnresolvedHost
from tests.support.effort import calls


class Names:
    """A resolver with fixed answers; the last one of a name stays."""

    def __init__(self, answers: dict[str, list[list[str]]]) -> None:
        self._answers = answers
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        known = self._answers.get(host)
        if known is None:
            raise OSError("unknown")
        return known.pop(0) if len(known) > 1 else known[0]


def guard(names: Names, *, allow_private: Sequence[str] = ()) -> Guard:
    return Guard(
        addresses=AddressPolicy(), resolve=names, resolve_s=0.05, allow_private=allow_private
    )


async def test_one_denied_address_among_several_refuses_the_host() -> None:
    names = Names({"mixed.example": [["93.184.216.34", "127.0.0.1"]]})

    with pytest.raises(EgressDenied):
        await guard(names).resolve("mixed.example", 443)


async def test_a_denied_ipv6_address_refuses_a_host_with_a_good_ipv4_one() -> None:
    names = Names({"dual.example": [["fd00::1", "93.184.216.34"]]})

    with pytest.raises(EgressDenied):
        await guard(names).resolve("dual.example", 443)


@pytest.mark.parametrize(
    ("host", "port"),
    [("api.example", 8080), ("db.internal", 443), ("private.example", 443), ("::1", 8080)],
)
async def test_a_refusal_names_the_exception_that_lets_it_through(host: str, port: int) -> None:
    names = Names({host: [["10.0.0.7"]]})

    with pytest.raises(EgressDenied) as refused:
        await guard(names).resolve(host, port)

    named = re.search(r"allow (\S+) in egress\.allow_private", refused.value.message)
    assert named is not None
    assert await guard(names, allow_private=[named[1]]).resolve(host, port) == ["10.0.0.7"]


async def test_the_checked_answer_is_the_one_that_is_used() -> None:
    names = Names({"rebind.example": [["93.184.216.34"], ["127.0.0.1"]]})
    gate = guard(names)

    assert await gate.resolve("rebind.example", 80) == ["93.184.216.34"]
    assert names.asked == ["rebind.example"]
    with pytest.raises(EgressDenied):
        await gate.resolve("rebind.example", 80)


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST",
        "localhost.",
        "a.localhost",
        "printer.local",
        "db.internal",
        "metadata.google.internal",
        "api.default.svc",
        "x.svc.cluster.local",
    ],
)
async def test_internal_names_are_denied_before_any_look_up(host: str) -> None:
    names = Names({})

    with pytest.raises(EgressDenied):
        await guard(names).resolve(host, 80)
    assert names.asked == []


@pytest.mark.parametrize("port", [22, 25, 5432, 6379, 8080])
async def test_other_ports_are_denied(port: int) -> None:
    with pytest.raises(EgressDenied):
        await guard(Names({"a.example": [["1.1.1.1"]]})).resolve("a.example", port)


async def test_an_excepted_origin_is_exact_in_host_and_port() -> None:
    names = Names({"crm.corp.internal": [["10.1.2.3"]]})
    gate = guard(names, allow_private=["CRM.corp.internal:8443"])

    assert await gate.resolve("crm.corp.internal.", 8443) == ["10.1.2.3"]
    gate.check_literal("10.1.2.3", 8443)
    with pytest.raises(EgressDenied):
        await gate.resolve("crm.corp.internal", 443)
    with pytest.raises(PeerRefused):
        gate.check_literal("10.1.2.3", 80)
    with pytest.raises(PeerRefused):
        gate.check_literal("10.1.2.4", 8443)


async def test_a_slow_name_server_is_given_up() -> None:
    async def slow(host: str, port: int) -> Sequence[str]:
        await asyncio.sleep(10)
        return ["1.1.1.1"]

    gate = Guard(addresses=AddressPolicy(), resolve=slow, resolve_s=0.02)

    with pytest.raises(UnresolvedHost):
        await gate.resolve("a.example", 80)


@pytest.mark.parametrize("pair", ["10.0.0.1", ":80", "host:", "host:http"])
def test_an_exception_without_host_or_port_is_a_configuration_error(pair: str) -> None:
    with pytest.raises(ValueError, match="host:port"):
        guard(Names({}), allow_private=[pair])


def test_judging_a_connection_is_little_work() -> None:
    gate = guard(Names({"a.example": [["93.184.216.34", "2606:4700::1111"]]}))

    async def judge() -> None:
        found = await gate.resolve("a.example", 443)
        gate.check_literal(found[0], 443)
        gate.check_literal(found[0], 443)

    def judged(times: int) -> int:
        async def work() -> None:
            for _ in range(times):
                await judge()

        return calls(lambda: asyncio.run(work()))

    judged(1)
    assert judged(11) - judged(1) < 10 * 1000
