"""The content decides the type; name and declared type choose only where it leaves a choice."""

import io
import struct
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.file.sniff import HEAD_BYTES, sniff

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
BINARY = "application/octet-stream"


def zipped(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return buffer.getvalue()


CORPUS = [
    (b"\x89PNG\r\n\x1a\n" + b"\0" * 20, "image/png"),
    (b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"),
    (b"GIF89a\1\0\1\0", "image/gif"),
    (b"GIF87a\1\0\1\0", "image/gif"),
    (b"RIFF\x24\0\0\0WEBPVP8 ", "image/webp"),
    (b"RIFF\x24\0\0\0WAVEfmt ", "audio/wav"),
    (b"RIFF\x24\0\0\0AVI LIST", "video/x-msvideo"),
    (b"BM" + struct.pack("<IHHII", 70, 0, 0, 54, 40), "image/bmp"),
    (b"II*\0\x08\0\0\0", "image/tiff"),
    (b"%PDF-1.7\n%\xe2\xe3", "application/pdf"),
    (b"\n\n%PDF-1.4", "application/pdf"),
    (zipped("a.txt"), "application/zip"),
    (zipped("[Content_Types].xml", "_rels/.rels", "word/document.xml"), DOCX),
    (zipped("[Content_Types].xml", "xl/workbook.xml"), XLSX),
    (zipped("ppt/presentation.xml"), PPTX),
    (b"ID3\x04\0\0\0\0\0\0", "audio/mpeg"),
    (b"\xff\xfb\x90\x64\0\0\0\0", "audio/mpeg"),
    (b"\xff\xf1\x50\x80\0\0", "audio/aac"),
    (b"OggS\0\2" + b"\0" * 22 + b"\x01vorbis", "audio/ogg"),
    (b"OggS\0\2" + b"\0" * 22 + b"\x80theora", "video/ogg"),
    (b"\0\0\0\x18ftypisom\0\0\2\0", "video/mp4"),
    (b"\0\0\0\x18ftypM4A \0\0\0\0", "audio/mp4"),
    (b"\0\0\0\x14ftypqt  \0\0\0\0", "video/quicktime"),
    (b"\0\0\0\x18ftypavif\0\0\0\0", "image/avif"),
    (b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\1\x42\x82\x84webm", "video/webm"),
    (b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\1\x42\x82\x88matroska", "video/x-matroska"),
    (b"fLaC\0\0\0\x22", "audio/flac"),
    (b"\x1f\x8b\x08\0", "application/gzip"),
    (b"<!DOCTYPE html><html>", "text/html"),
    (b"\xef\xbb\xbf  <HTML>", "text/html"),
    (b"<!-- a --> <!-- b --><script>alert(1)</script>", "text/html"),
    (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "image/svg+xml"),
    (b'<?xml version="1.0"?><!-- x --><svg:svg>', "image/svg+xml"),
    (b'<?xml version="1.0"?><feed/>', "application/xml"),
    (b'{"a": [1, 2]}', "application/json"),
    (b"[1, 2]", "application/json"),
    (b"[section]\nkey=1", "text/plain"),
    (b"hello", "text/plain"),
    ("汉字".encode(), "text/plain"),
    (b"\xff\xfe" + "汉字".encode("utf-16-le"), "text/plain"),
    (b"\xfe\xff" + "text".encode("utf-16-be"), "text/plain"),
    (b"MZ\x90\0\3\0", "application/vnd.microsoft.portable-executable"),
    (b"\x7fELF\2\1\1\0", "application/x-elf"),
    (b"\0\1\2\3\4", BINARY),
    (b"", BINARY),
]


@pytest.mark.parametrize(("head", "expected"), CORPUS)
def test_content_is_recognised(head: bytes, expected: str) -> None:
    assert sniff(head) == expected


@pytest.mark.parametrize(
    ("head", "name", "declared", "expected"),
    [
        (b"<html><script>", "photo.png", "image/png", "text/html"),
        (b"<svg onload=alert(1)>", "photo.png", "image/png", "image/svg+xml"),
        (b"hello", "photo.png", "image/png", "text/plain"),
        (b"\0\1\2\3", "photo.png", "image/png", BINARY),
        (b"\0\1\2\3", "notes.txt", "text/plain", BINARY),
        (b"\x89PNG\r\n\x1a\n", "page.html", "text/html", "image/png"),
        (b"GIF89a=1;alert(1)//", "x.js", "text/javascript", "image/gif"),
        (b"%PDF-1.4 PK\3\4", "x.zip", "application/zip", "application/pdf"),
        (b"MZ\x90\0\3\0", "setup.pdf", "application/pdf", CORPUS[-4][1]),
        (b"hello", "", "text/html; charset=x\r\nset-cookie: a", "text/html"),
        (b"hello", "", "image/svg+xml", "text/plain"),
    ],
)
def test_claims_never_turn_one_content_into_another(
    head: bytes, name: str, declared: str, expected: str
) -> None:
    assert sniff(head, name=name, declared=declared) == expected


@pytest.mark.parametrize(
    ("head", "name", "declared", "expected"),
    [
        (b"# Title", "readme.md", "application/octet-stream", "text/markdown"),
        (b"a,b\n1,2", "table.CSV", "", "text/csv"),
        (b"a,b\n1,2", "table", "text/csv", "text/csv"),
        ("名前,値".encode("shift-jis"), "table.csv", "", "text/csv"),
        ("名前,値".encode("shift-jis"), "table.bin", "", BINARY),
        (zipped("[Content_Types].xml"), "report.docx", "", DOCX),
        (zipped("a.txt"), "report.docx", "", "application/zip"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old.xls", "", "application/vnd.ms-excel"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old", "", "application/x-ole-storage"),
        (b'{"a":1}\n{"b":2}', "rows.jsonl", "", "application/x-ndjson"),
    ],
)
def test_names_choose_where_the_content_leaves_a_choice(
    head: bytes, name: str, declared: str, expected: str
) -> None:
    assert sniff(head, name=name, declared=declared) == expected


def test_an_open_document_names_itself() -> None:
    media_type = "application/vnd.oasis.opendocument.text"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("mimetype", media_type)

    assert sniff(buffer.getvalue()) == media_type


def test_a_character_cut_by_the_end_of_the_head_is_still_text() -> None:
    head = ("a" + "汉" * HEAD_BYTES).encode()[:HEAD_BYTES]

    assert sniff(head) == "text/plain"


def test_comments_without_end_take_no_time() -> None:
    assert sniff((b"<!---->" * HEAD_BYTES)[:HEAD_BYTES]) == "text/plain"


def test_deeply_nested_json_is_text() -> None:
    assert sniff(b"[" * (HEAD_BYTES - 1)) == "text/plain"


@given(st.binary(max_size=300), st.text(max_size=20), st.text(max_size=20))
def test_anything_gets_a_plain_media_type(head: bytes, name: str, declared: str) -> None:
    media_type = sniff(head, name=name, declared=declared)

    assert media_type.isascii()
    assert media_type.isprintable()
    assert media_type.count("/") == 1
    assert not set(media_type) & set(' ;,"')
