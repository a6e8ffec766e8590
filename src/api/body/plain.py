"""Bodies of other programs that are no JSON of ours."""

from api.body.request import ApiRequest


class PlainRequest(ApiRequest):
    """A request whose body the handler reads as it came, whatever it calls itself."""

    def check_type(self) -> None:
        """Let any type pass: what is no body of the kind is refused when it is read."""
