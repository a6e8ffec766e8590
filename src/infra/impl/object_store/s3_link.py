"""Signed addresses of objects in a bucket: AWS Signature Version 4 in the query string.

https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
"""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import reduce
from typing import Final
from urllib.parse import quote, urlsplit

from domain.shared.secret import Secret

_ALGORITHM: Final = "AWS4-HMAC-SHA256"
LONGEST_S: Final = 7 * 24 * 3600
"""What the protocol allows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkSigner:
    """Signs downloads; ``endpoint`` is where clients reach the store, ``scheme://host[:port]``."""

    endpoint: str
    bucket: str
    region: str
    access_key: str
    secret_key: Secret
    prefix: str = ""

    def address(
        self, key: str, *, now: datetime, ttl_s: int, media_type: str, disposition: str
    ) -> str:
        """Return an address from which anyone can read the object for so long.

        The store answers with this type and disposition, whatever it knows of the object.
        """
        stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
        scope = (stamp[:8], self.region, "s3", "aws4_request")
        path = quote("/" + "/".join(filter(None, (self.bucket, self.prefix.strip("/"), key))))
        query = {
            "X-Amz-Algorithm": _ALGORITHM,
            "X-Amz-Credential": "/".join((self.access_key, *scope)),
            "X-Amz-Date": stamp,
            "X-Amz-Expires": str(min(ttl_s, LONGEST_S)),
            "X-Amz-SignedHeaders": "host",
            "response-cache-control": "private, no-cache",
            "response-content-disposition": disposition,
            "response-content-type": media_type,
        }
        encoded = "&".join(f"{_quoted(k)}={_quoted(query[k])}" for k in sorted(query))
        host = urlsplit(self.endpoint).netloc
        request = "\n".join(("GET", path, encoded, f"host:{host}\n", "host", "UNSIGNED-PAYLOAD"))
        digest = hashlib.sha256(request.encode()).hexdigest()
        text = "\n".join((_ALGORITHM, stamp, "/".join(scope), digest))
        signing_key = reduce(_hmac, scope, b"AWS4" + self.secret_key.reveal().encode())
        signature = _hmac(signing_key, text).hex()
        return f"{self.endpoint.rstrip('/')}{path}?{encoded}&X-Amz-Signature={signature}"


def _quoted(text: str) -> str:
    return quote(text, safe="-_.~")


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()
