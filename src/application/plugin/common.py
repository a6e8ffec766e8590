"""Constants that a plugin sends with every call, as the admin surface spells them."""

import msgspec

from domain.plugin.value import CommonParameter, Location, Manifest


class CommonValue(msgspec.Struct, frozen=True, kw_only=True):
    """A constant sent with every call; the value of a secret one is never shown."""

    name: str
    value: str = ""
    secret: bool = False


class CommonValues(msgspec.Struct, frozen=True, kw_only=True):
    """Constants by where they travel."""

    query: tuple[CommonValue, ...] = ()
    header: tuple[CommonValue, ...] = ()
    body: tuple[CommonValue, ...] = ()

    def parameters(self) -> tuple[CommonParameter, ...]:
        places = (
            (Location.QUERY, self.query),
            (Location.HEADER, self.header),
            (Location.BODY, self.body),
        )
        return tuple(
            CommonParameter(name=one.name, location=place, value=one.value, is_secret=one.secret)
            for place, values in places
            for one in values
        )

    @classmethod
    def of(cls, manifest: Manifest) -> "CommonValues":
        def at(place: Location) -> tuple[CommonValue, ...]:
            return tuple(
                CommonValue(name=each.name, value=each.value, secret=each.is_secret)
                for each in manifest.common_parameters
                if each.location is place
            )

        return cls(query=at(Location.QUERY), header=at(Location.HEADER), body=at(Location.BODY))
