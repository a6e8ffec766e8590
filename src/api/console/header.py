"""Headers of the pages for browsers: what they may load, run and tell."""

from collections.abc import Mapping
from typing import Final

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'{nonce}; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; media-src 'self' blob:; "
    "worker-src 'self'; frame-src 'self'; manifest-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types coterie-worker; report-to csp"
)
_ALWAYS: Final = {
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "reporting-endpoints": 'csp="/admin/v1/csp-reports"',
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
}


def page_headers(nonce: str = "") -> Mapping[str, str]:
    """Return the headers of a page whose style elements bear a nonce; none may have any without."""
    return {
        "content-security-policy": POLICY.format(nonce=f" 'nonce-{nonce}'" if nonce else ""),
        **_ALWAYS,
    }
