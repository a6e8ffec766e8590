"""``coterie dlq``: deliveries that were given up."""

import json
from typing import Any

import click

from bootstrap.cli.command import Group
from bootstrap.cli.output import printable
from infra.contract.messaging.event_repository import DeadLetter, LetterQuery

COLUMNS = ("event_id", "consumer", "topic", "attempts", "died_at", "error")
_ERROR_CHARS = 60


@click.group(cls=Group)
def dlq() -> None:
    """Events that a consumer could not handle (the dead letter queue)."""


@dlq.command("list")
@click.option("--consumer", default="", help="Only of this consumer.")
@click.option("--topic", default="", help="Only of this topic.")
@click.option("--limit", type=click.IntRange(1, 1000), default=100, show_default=True)
def list_letters(consumer: str, topic: str, limit: int) -> None:
    """Show dead letters, the oldest first."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        query = LetterQuery(consumer=consumer, topic=topic)
        found, total = await session.container.dead_letters().page(query, limit=limit)
        session.output.table([_row(letter) for letter in found], columns=COLUMNS)
        if total > len(found):
            click.echo(f"{total - len(found)} more.", err=True)

    on_database(act)


@dlq.command("show")
@click.argument("event_id")
def show(event_id: str) -> None:
    """Show one event with its content and the last error of each consumer."""
    from bootstrap.cli.session import Session, on_database

    async def act(session: Session) -> None:
        letters = await session.container.dead_letters().get(event_id)
        documents = [
            {**_row(letter, is_whole=True), "payload": _content(letter)} for letter in letters
        ]
        if session.output.as_json:
            session.output.table(documents, columns=())
            return
        for document in documents:
            text = json.dumps(document, indent=2, ensure_ascii=False, default=str)
            click.echo(printable(text))

    on_database(act)


@dlq.command("retry")
@click.argument("event_id", default="")
@click.option("--consumer", default="", help="Only of this consumer.")
@click.option("--topic", default="", help="Only of this topic.")
@click.option("--all", "is_all", is_flag=True, help="Every dead letter.")
def retry(event_id: str, consumer: str, topic: str, *, is_all: bool) -> None:
    """Deliver dead letters once more; running servers take them at once."""
    from bootstrap.cli.session import Session, on_database

    query = _query(event_id, consumer, topic, is_all=is_all)

    async def act(session: Session) -> None:
        count = await session.container.dead_letters().retry(query)
        session.output.result({"retried": count}, f"Queued again: {count}.")

    on_database(act)


@dlq.command("drop")
@click.argument("event_id", default="")
@click.option("--consumer", default="", help="Only of this consumer.")
@click.option("--topic", default="", help="Only of this topic.")
@click.option("--all", "is_all", is_flag=True, help="Every dead letter.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def drop(event_id: str, consumer: str, topic: str, *, is_all: bool, yes: bool) -> None:
    """Forget dead letters for good."""
    from bootstrap.cli.session import Session, on_database

    query = _query(event_id, consumer, topic, is_all=is_all)
    if not yes:
        click.confirm("What these events asked for will never be done. Forget them?", abort=True)

    async def act(session: Session) -> None:
        count = await session.container.dead_letters().drop(query)
        session.output.result({"dropped": count}, f"Forgotten: {count}.")

    on_database(act)


def _query(event_id: str, consumer: str, topic: str, *, is_all: bool) -> LetterQuery:
    if is_all is any((event_id, consumer, topic)):
        raise click.UsageError("Name an event, a consumer or a topic, or give --all.")
    return LetterQuery(event_id=event_id, consumer=consumer, topic=topic)


def _row(letter: DeadLetter, *, is_whole: bool = False) -> dict[str, Any]:
    return {
        "event_id": letter.event_id,
        "consumer": letter.consumer,
        "topic": letter.topic,
        "key": letter.key,
        "attempts": letter.attempts,
        "died_at": letter.died_at,
        "error": letter.error if is_whole else letter.error[:_ERROR_CHARS],
    }


def _content(letter: DeadLetter) -> Any:
    try:
        return json.loads(letter.payload)
    except ValueError:
        return letter.payload.decode("utf-8", "replace")
