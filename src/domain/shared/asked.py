"""What a person is asked, so that a form can show it."""

import msgspec


class AskedField(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a form."""

    name: str
    """Name of the field."""
    type: str
    """`string`, `integer`, `float`, `boolean`, or what else the workflow declares."""
    is_required: bool = False
    description: str = ""
    """What is to be filled in."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A question in words, with what answers it besides words.

    The answer is one of ``options``, or lines ``name: value`` for ``fields``. With ``url`` the
    person gives access there first, and then says anything.
    """

    text: str
    """What is asked, in words."""
    options: tuple[str, ...] = ()
    """Answers to choose from."""
    fields: tuple[AskedField, ...] = ()
    """Fields of the form that is to be filled in."""
    url: str = ""
    """Where access is given."""
