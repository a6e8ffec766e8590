"""Object store in a bucket of an S3-compatible store."""

from collections.abc import Sequence
from typing import Annotated

import msgspec

from domain.shared.error import SettingsInvalid
from domain.shared.secret import Secret
from infra.contract.adapter import AdapterSettings, ManagedObjectStore, Place, is_local
from infra.impl.object_store import OBJECT_STORES


class S3Objects(AdapterSettings, frozen=True, kw_only=True):
    """Files in a bucket."""

    bucket: str = ""
    endpoint: str = ""
    """Address of the store; empty means Amazon's."""
    region: str = "us-east-1"
    access_key: str = ""
    secret_key: Secret = Secret("")
    prefix: str = ""
    """Start of all keys, so that deployments can share a bucket."""
    links_endpoint: Annotated[str, msgspec.Meta(pattern=r"^(https?://[^/?#@]+/?)?$")] = ""
    """Where clients reach the store: signed links then lead there; empty serves them here."""

    def build(self, place: Place) -> ManagedObjectStore:
        from infra.impl.object_store.s3.store import S3ObjectStore

        if self.links_endpoint and not self.access_key:
            raise SettingsInvalid("objects.links_endpoint needs objects.access_key to sign with.")
        return S3ObjectStore(
            self.bucket,
            endpoint=self.endpoint,
            region=self.region,
            access_key=self.access_key,
            secret_key=self.secret_key.reveal(),
            prefix=self.prefix,
            links_endpoint=self.links_endpoint,
        )

    def warnings(self) -> Sequence[str]:
        is_open = self.endpoint.startswith("http://") and not is_local(self.endpoint)
        return ["objects.endpoint is not https."] if is_open else ()

    def identity(self, place: Place) -> tuple[object, ...] | None:
        return self.endpoint, self.region, self.bucket, self.prefix


OBJECT_STORES.register("s3")(S3Objects)
