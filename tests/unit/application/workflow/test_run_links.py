"""Addresses of runs."""

from application.workflow.run_links import RunLinks
from bootstrap.settings import ConsoleSettings, Settings


def test_a_run_is_shown_by_the_console_under_the_public_address() -> None:
    settings = Settings(public_url="https://agents.example/")
    links = RunLinks(console_url=settings.console_url)

    assert links.address(7, space_id=3) == "https://agents.example/console/w/3/runs/7"


def test_without_a_console_there_is_no_address_of_a_run() -> None:
    settings = Settings(public_url="https://agents.example", console=ConsoleSettings(enabled=False))

    assert RunLinks(console_url=settings.console_url).address(7, space_id=3) == ""
