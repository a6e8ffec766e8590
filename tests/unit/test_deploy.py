"""What is shipped for operators: pinned, bounded, unprivileged, and made of settings that exist."""

import json
import re
import tomllib
from collections.abc import Mapping
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped, unused-ignore]

from api.entry.route import ROUTES, Level
from bootstrap.configuration import load
from bootstrap.safety import check
from domain.shared.error import SettingsInvalid

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
CHART = DEPLOY / "helm" / "coterie"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
ANSWERS = {
    "COTERIE_MASTER_KEY": "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=",
    "COTERIE_BOOTSTRAP_TOKEN": "pat_3f9a1c77d2e84b60aa51",
    "COTERIE_PUBLIC_URL": "https://agents.example.org",
}
"""What an operator fills in; every other required value is a password."""

_NEEDED = re.compile(r"\$\{(\w+)(?::[?-][^}]*)?\}")
_PINNED = re.compile(r"[\w./-]+:v?\d[\w.-]*")


def composed(name: str) -> dict[str, Any]:
    """A compose file with the answers filled in, as the tool would."""
    text = (DEPLOY / name).read_text("utf-8")
    filled = _NEEDED.sub(lambda match: ANSWERS.get(match[1], "f00d8000"), text)
    found: dict[str, Any] = yaml.safe_load(filled)
    return found


def services(name: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = composed(name)["services"]
    return found


def example() -> dict[str, str]:
    """Variables of the example, those in comments too."""
    lines = (DEPLOY / "coterie.env.example").read_text("utf-8").splitlines()
    pairs = (re.fullmatch(r"#?([A-Z_]+)=(.*)", line) for line in lines)
    return {pair[1]: pair[2] for pair in pairs if pair}


def ours(variables: Mapping[str, str]) -> dict[str, str]:
    return {
        key: value for key, value in variables.items() if key.startswith(("COTERIE_", "OPENAI"))
    }


BOTH = pytest.mark.parametrize("name", ["compose.yaml", "compose.full.yaml"])


class TestCompose:
    @BOTH
    def test_every_service_is_bounded_unprivileged_pinned_and_watched(self, name: str) -> None:
        for service in services(name).values():
            assert service["cap_drop"] == ["ALL"]
            assert service["security_opt"] == ["no-new-privileges:true"]
            assert {"mem_limit", "pids_limit", "cpus", "logging"} <= service.keys()
            assert _PINNED.fullmatch(service["image"])
            assert "healthcheck" in service or service["restart"] == "no"

    @BOTH
    def test_nothing_reaches_the_host(self, name: str) -> None:
        for service in services(name).values():
            assert not {"privileged", "network_mode", "pid", "cap_add", "devices"} & service.keys()
            assert not any("docker.sock" in volume for volume in service.get("volumes", []))

    @BOTH
    def test_one_service_is_published(self, name: str) -> None:
        published = [key for key, service in services(name).items() if "ports" in service]

        assert published == (["coterie"] if name == "compose.yaml" else ["proxy"])

    def test_backing_services_have_no_way_out(self) -> None:
        full = composed("compose.full.yaml")
        backing = {"postgres", "nats", "objects", "bucket", "elasticsearch", "milvus"}

        assert full["networks"]["back"]["internal"] is True
        assert all(full["services"][name]["networks"] == ["back"] for name in backing)

    @BOTH
    def test_our_processes_run_on_what_they_are_told(self, name: str) -> None:
        for service in services(name).values():
            if service["image"].startswith("coterie:"):
                settings = load({**ANSWERS, **service.get("environment", {})})
                assert service["image"] == f"coterie:{PROJECT['version']}"
                assert service["read_only"] is True
                leaving_s = settings.limits.shutdown_grace_s + settings.serve.linger_s
                assert int(service["stop_grace_period"].removesuffix("s")) > leaving_s

    def test_two_of_each_share_everything_but_their_numbers(self) -> None:
        full = services("compose.full.yaml")
        api = [load(full[name]["environment"]) for name in ("api-1", "api-2")]
        workers = [load(full[name]["environment"]) for name in ("worker-1", "worker-2")]

        assert len({each.node for each in (*api, *workers)}) == 4
        assert all(each.serve.roles == () for each in api)
        assert all(each.worker.roles for each in workers)
        for each in (*api, *workers):
            assert each.database_url.startswith("postgresql+asyncpg://")
            assert (each.bus.kind, each.objects.kind) == ("nats", "s3")
            assert (each.text_index.kind, each.vector_index.kind) == ("elasticsearch", "milvus")

    def test_all_have_one_data_directory(self) -> None:
        full = services("compose.full.yaml")
        ours = [each for each in full.values() if each["image"].startswith("coterie:")]

        assert all(each["volumes"] == ["data:/data"] for each in ours)

    def test_the_extras_of_the_image_exist(self) -> None:
        extras = services("compose.full.yaml")["api-1"]["build"]["args"]["EXTRAS"].split(",")

        assert set(extras) <= PROJECT["optional-dependencies"].keys()

    def test_every_password_is_asked_for(self) -> None:
        text = (DEPLOY / "compose.full.yaml").read_text("utf-8")
        asked = {match[1] for match in re.finditer(r"\$\{(\w+):\?", text)}

        assert asked <= example().keys()
        assert {name for name in example() if "PASSWORD" in name or "SECRET" in name} <= asked


class TestExample:
    def test_it_is_short_and_known(self) -> None:
        assert len(example()) < 20
        load({**ours(example()), **ANSWERS})

    def test_taken_as_it_is_it_is_refused(self) -> None:
        environ = {key: value for key, value in ours(example()).items() if not value}

        with pytest.raises(SettingsInvalid):
            check(load(environ), environ)

    def test_filled_in_it_starts(self) -> None:
        environ = {**ours(example()), **ANSWERS}

        check(load(environ), environ)


class TestImage:
    text = (DEPLOY / "Dockerfile").read_text("utf-8")

    def test_it_is_nobody_in_particular(self) -> None:
        assert re.search(r"^USER [1-9]\d*:[1-9]\d*$", self.text, re.MULTILINE)
        assert "STOPSIGNAL SIGTERM" in self.text
        assert "HEALTHCHECK" in self.text

    def test_nothing_but_the_environment_leaves_the_build(self) -> None:
        last = self.text.split("\nFROM ")[-1]

        assert re.findall(r"^COPY .*$", last, re.MULTILINE) == [
            "COPY --from=build /opt/coterie /opt/coterie",
            "COPY --from=build /opt/coterie-images /opt/coterie-images",
        ]
        assert "COPY . " not in self.text
        assert not re.search(r"ARG \w*(KEY|TOKEN|SECRET|PASSWORD)", self.text)


class TestProxy:
    text = (DEPLOY / "nginx.conf").read_text("utf-8")

    def test_it_does_not_buffer(self) -> None:
        for line in ("proxy_buffering off;", "proxy_request_buffering off;", "gzip off;"):
            assert line in self.text

    def test_the_api_processes_keep_the_addresses_it_has_looked_up(self) -> None:
        full = composed("compose.full.yaml")
        names = re.findall(r"server (api-\d):8000", self.text)
        fixed = [full["services"][name]["networks"]["front"]["ipv4_address"] for name in names]
        (pool,) = full["networks"]["front"]["ipam"]["config"]

        assert len({ip_address(each) for each in fixed}) == len(names)
        assert all(ip_address(each) in ip_network(pool["subnet"]) for each in fixed)
        assert not any(ip_address(each) in ip_network(pool["ip_range"]) for each in fixed)

    def test_it_takes_the_largest_upload(self) -> None:
        found = re.search(r"client_max_body_size (\d+)m;", self.text)
        limits = load(ANSWERS).limits

        assert found is not None
        assert int(found[1]) << 20 >= limits.upload_bytes + limits.multipart_overhead_bytes

    def test_it_waits_for_answers_as_long_as_they_may_take(self) -> None:
        found = re.search(r"proxy_read_timeout (\d+)s;", self.text)
        settings = load(ANSWERS)

        assert found is not None
        assert int(found[1]) > settings.workflow.run_foreground_s
        assert int(found[1]) > settings.limits.run_wall_s

    def test_it_asks_the_api_processes_and_is_trusted_by_them(self) -> None:
        full = composed("compose.full.yaml")
        named = re.findall(r"server (api-\d):8000", self.text)
        address = full["services"]["proxy"]["networks"]["front"]["ipv4_address"]

        assert named == [name for name in full["services"] if name.startswith("api-")]
        assert full["services"]["api-1"]["environment"]["COTERIE_TRUSTED_PROXIES"] == address


class TestChart:
    values: dict[str, Any] = yaml.safe_load((CHART / "values.yaml").read_text("utf-8"))
    pod = (CHART / "templates" / "_helpers.tpl").read_text("utf-8")

    def test_it_is_of_this_release(self) -> None:
        chart = yaml.safe_load((CHART / "Chart.yaml").read_text("utf-8"))

        assert chart["version"] == chart["appVersion"] == PROJECT["version"]

    def test_settings_and_variables_exist(self) -> None:
        api = (CHART / "templates" / "api.yaml").read_text("utf-8")
        literal = dict(re.findall(r'"(COTERIE_\w+)" "([^"]*)"', api))

        settings = load({**self.values["settings"], **literal})
        assert literal
        assert self.values["terminationGracePeriodSeconds"] > (
            settings.limits.shutdown_grace_s + settings.serve.linger_s
        )

    def test_values_keep_to_their_schema(self) -> None:
        schema = json.loads((CHART / "values.schema.json").read_text("utf-8"))

        assert schema["properties"].keys() <= self.values.keys()

    def test_pods_have_no_rights_and_are_asked_how_they_are(self) -> None:
        for line in (
            "runAsNonRoot: true",
            "readOnlyRootFilesystem: true",
            "allowPrivilegeEscalation: false",
            "capabilities: { drop: [ALL] }",
            "seccompProfile: { type: RuntimeDefault }",
            "automountServiceAccountToken: false",
        ):
            assert line in self.pod
        assert set(re.findall(r"path: (/\w+z),", self.pod)) == {"/startupz", "/readyz", "/livez"}
        for probe in ("get_startup", "get_readiness", "get_liveness"):
            assert ROUTES[f"operations.{probe}"].level is Level.PUBLIC


class TestBus:
    def test_the_application_cannot_drop_streams(self) -> None:
        text = (DEPLOY / "nats.conf").read_text("utf-8")

        assert "sync_interval: always" in text
        assert "$JS.API.STREAM.DELETE.>" in text
        assert "password: $NATS_PASSWORD" in text
