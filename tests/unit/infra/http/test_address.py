"""The address tables: nothing private, translated or special passes."""

# ruff: noqa: SIM905 - tables read better as text

import pytest

from infra.impl.http.address import AddressPolicy

DENIED = """
0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.254 169.254.169.254
172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.1.1
192.175.48.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 168.63.129.16
::1 :: ::ffff:127.0.0.1 ::ffff:7f00:1 ::127.0.0.1 ::7f00:1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe
64:ff9b:1::808:808 fe80::1 fe80::1%eth0 2606:4700::1111%eth0 fd00:ec2::254 fc00::1 fec0::1 ff02::1
2001::1 2001:0:7f00:1:: 2001:db8::1 2002:7f00:1:: 3fff::1 2620:4f:8000::1 ::ffff:0:127.0.0.1 100::1
localhost 127.1 nonsense
""".split()
PERMITTED = """
1.1.1.1 8.8.8.8 93.184.216.34 172.15.255.255 172.32.0.1 192.0.1.1 100.63.255.255 100.128.0.1
2606:4700::1111 2a00:1450:4001:81b::200e ::ffff:8.8.8.8 64:ff9b::808:808
""".split()


@pytest.mark.parametrize("address", DENIED)
def test_special_addresses_are_denied(address: str) -> None:
    assert not AddressPolicy().permits(address)


@pytest.mark.parametrize("address", PERMITTED)
def test_public_addresses_are_permitted(address: str) -> None:
    assert AddressPolicy().permits(address)


def test_networks_of_the_operator_are_denied_too() -> None:
    policy = AddressPolicy(denied=["8.8.8.0/24", "2606:4700::/32"])

    assert not policy.permits("8.8.8.8")
    assert not policy.permits("2606:4700::1111")
    assert policy.permits("8.8.4.4")


def test_configured_translation_prefixes_are_unwrapped() -> None:
    policy = AddressPolicy(nat64=["2a01:4f8:c2c::/96"])

    assert not policy.permits("2a01:4f8:c2c::7f00:1")
    assert policy.permits("2a01:4f8:c2c::808:808")
