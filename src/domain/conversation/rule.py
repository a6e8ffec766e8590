"""What a message, a name and meta data may look like."""

from collections.abc import Mapping, Sequence

from domain.shared.chat import ImagePart, Part, TextPart
from domain.shared.error import InvalidRequest, RequestTooLarge
from domain.shared.limits import Limits


def check_meta(meta: Mapping[str, str], limits: Limits, *, field: str = "meta_data") -> None:
    """Raise ``InvalidRequest`` unless the pairs are few and short enough."""
    if len(meta) > limits.meta_pairs:
        raise InvalidRequest(f"{field}: at most {limits.meta_pairs} pairs.", field=field)
    for key, value in meta.items():
        if not 1 <= len(key) <= limits.meta_key_chars:
            raise InvalidRequest(
                f"{field}: keys have 1 to {limits.meta_key_chars} characters.", field=field
            )
        if not 1 <= len(value) <= limits.meta_value_chars:
            raise InvalidRequest(
                f"{field}.{key}: values have 1 to {limits.meta_value_chars} characters.",
                field=field,
            )


def check_end_user(end_user_id: str, limits: Limits) -> None:
    """Raise ``InvalidRequest`` if the caller's key of a person is too long."""
    if len(end_user_id) > limits.end_user_chars:
        raise InvalidRequest(
            f"user_id: at most {limits.end_user_chars} characters.", field="user_id"
        )


def check_variables(variables: Mapping[str, str], limits: Limits) -> None:
    """Raise ``InvalidRequest`` if names or values of variables are too long."""
    for name, value in variables.items():
        if not 1 <= len(name) <= limits.meta_key_chars:
            raise InvalidRequest(
                f"custom_variables: names have 1 to {limits.meta_key_chars} characters.",
                field="custom_variables",
            )
        if len(value.encode()) > limits.string_bytes:
            raise InvalidRequest(
                f"custom_variables.{name}: at most {limits.string_bytes} bytes.",
                field="custom_variables",
            )


def check_name(name: str, limits: Limits) -> str:
    """Return the trimmed name; raise ``InvalidRequest`` if it is too long."""
    trimmed = name.strip()
    if len(trimmed) > limits.conversation_name_chars:
        raise InvalidRequest(
            f"name: at most {limits.conversation_name_chars} characters.", field="name"
        )
    return trimmed


def check_parts(parts: Sequence[Part], limits: Limits) -> None:
    """Raise unless the parts say something within the limits."""
    if not parts:
        raise InvalidRequest("content: a message needs content.", field="content")
    size = 0
    for part in parts:
        if isinstance(part, TextPart):
            size += len(part.text.encode())
        elif not part.file_id and not part.url:
            raise InvalidRequest(
                "content: a part that is not text needs file_id or file_url.", field="content"
            )
        elif len(part.url) > limits.url_bytes and not _is_inline_image(part):
            raise InvalidRequest(
                f"content: addresses have at most {limits.url_bytes} characters.", field="content"
            )
    if size > limits.message_bytes:
        raise RequestTooLarge(
            f"content: {size} bytes of text; at most {limits.message_bytes} are allowed.",
            field="content",
        )


def default_name(parts: Sequence[Part], limits: Limits) -> str:
    """Name a conversation by the beginning of its first user message."""
    text = " ".join(part.text for part in parts if isinstance(part, TextPart))
    return text.strip()[: limits.conversation_name_chars]


def is_blank(parts: Sequence[Part]) -> bool:
    """Tell whether a message carries nothing but empty text."""
    return all(isinstance(part, TextPart) and not part.text.strip() for part in parts)


def _is_inline_image(part: Part) -> bool:
    return isinstance(part, ImagePart) and part.url.startswith("data:")
