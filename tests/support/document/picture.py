"""Pictures for tests."""

from io import BytesIO

from PIL import Image


def picture(*, red: int = 200) -> bytes:
    """A small PNG; another shade is another picture."""
    buffer = BytesIO()
    Image.new("RGB", (48, 32), (red, 30, 30)).save(buffer, "PNG")
    return buffer.getvalue()
