"""Bytes to text: byte order mark, UTF-8, then the legacy encoding that fits best.

A candidate's score is the share of its characters that are common in its script. What is common
comes from the standards themselves: they put frequent characters first (GB 2312 and JIS X 0208
level 1, Big5 level 1, KS X 1001 syllables), so no table of frequencies is needed.
"""

import codecs
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from infra.contract.document.parser import DocumentNotParsed, ParseFailure

_SAMPLE_BYTES: Final = 256 * 1024
_FEW_BYTES: Final = 32 * 1024
"""Where every character is one byte, of any language; each is tried with each alphabet."""
_CONTROLS: Final = bytes(code for code in (*range(32), 127) if code not in (*range(8, 14), 0x1B))
"""What no text has: ends of lines, tabs, backspaces and escapes of terminals are some."""
_MAX_CONTROL_SHARE: Final = 0.01
_MAX_HIGH_CONTROL_SHARE: Final = 0.05
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LETTERS_IN_A_ROW: Final = 2
"""Western text has hardly ever more letters with marks than this side by side."""
_PLAUSIBLE: Final = 0.5
_WITHOUT_KANA: Final = 0.8
_ENOUGH_HANGUL: Final = 8
_FEW_HANGUL: Final = 0.9
_HIGH_CONTROLS: Final = frozenset(map(chr, range(0x80, 0xA0)))
_CAPITALS, _MIXED_CASE, _ANY_ALPHABET = 0.8, 0.2, 0.9
_WORDS: Final = re.compile(r"[^\W\d_]+")
_LONE_SIGNS: Final = re.compile(r"(?<![^\W\d_])[^\w\s\x00-\x7f]|[^\w\s\x00-\x7f](?![^\W\d_])")
"""A sign that does not stand between two letters."""
_NEWLINES: Final = re.compile(r"\r\n?")
_HANGUL: Final = range(0xAC00, 0xD7A4)
_KANA: Final = range(0x3041, 0x30FF)
_PUNCTUATION: Final = range(0x3000, 0x3040)
_FULL_WIDTH: Final = range(0xFF01, 0xFFA0)
_HALF_WIDTH_KANA: Final = range(0xFF61, 0xFFA0)
# First bytes of the rows that the standards give to frequent characters and to punctuation.
_DOUBLE: Final = 2
_GB_LEVEL_1: Final = range(0xB0, 0xD8)
_GB_SIGNS: Final = (0xA1, 0xA3)
_BIG5_LEVEL_1: Final = range(0xA1, 0xC7)
_JIS_LEVEL_1: Final = range(0xB0, 0xD0)
_JIS_SIGNS: Final = (0xA1,)
_WESTERN_SIGNS: Final = frozenset(
    "\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u00ab\u00bb\u20ac"
    "\u00b0\u00a7\u00a9\u00ae\u00b7\u00bf\u00a1\u00a3\u00a0"
)
_SIGNS: Final = _WESTERN_SIGNS | {"\u2116"}


@dataclass(frozen=True, slots=True)
class DecodedText:
    r"""Text with newlines as ``\n``; ``is_guess`` if nothing in the bytes names the encoding."""

    text: str
    encoding: str
    is_guess: bool


def decode_text(data: bytes, *, charset: str = "") -> DecodedText:
    """Decode a whole file; ``charset`` is what its transport or markup claims.

    Raises:
        DocumentNotParsed: the bytes are not text.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            text = data[len(mark) :].decode(encoding, "replace")
            return DecodedText(_normalise(text), encoding, is_guess=False)
    # After the marks, because UTF-16 is full of zeros.
    if data.count(0) > len(data) * _MAX_CONTROL_SHARE:
        raise DocumentNotParsed(ParseFailure.UNSUPPORTED, "The file is binary, not text.")
    for encoding in filter(None, (_known(charset), "utf-8")):
        try:
            return DecodedText(_normalise(data.decode(encoding)), encoding, is_guess=False)
        except UnicodeDecodeError:
            continue
    controls = len(data) - len(data.translate(None, _CONTROLS))
    if controls > len(data) * _MAX_CONTROL_SHARE:
        raise DocumentNotParsed(ParseFailure.UNSUPPORTED, "The file is binary, not text.")
    for encoding in rank_encodings(data):
        try:
            return DecodedText(_normalise(data.decode(encoding)), encoding, is_guess=True)
        except UnicodeDecodeError:
            continue
    # A single bad byte must not turn a file in UTF-8 into nonsense.
    mended = data.decode("utf-8", "replace")
    if mended.count("\ufffd") * 50 < sum(1 for char in mended if not char.isascii()):
        return DecodedText(_normalise(mended), "utf-8", is_guess=True)
    text = data.decode("latin-1")
    foreign = sum(1 for char in text[:_SAMPLE_BYTES] if not char.isascii())
    high = sum(1 for char in text[:_SAMPLE_BYTES] if char in _HIGH_CONTROLS)
    if high > foreign * _MAX_HIGH_CONTROL_SHARE:
        raise DocumentNotParsed(
            ParseFailure.UNSUPPORTED,
            "The file is binary, or text in an encoding that is not known; save it as UTF-8.",
        )
    return DecodedText(_normalise(text), "latin-1", is_guess=True)


def rank_encodings(data: bytes) -> list[str]:
    """Plausible legacy encodings of some bytes, the best first."""
    sample = data[:_SAMPLE_BYTES]
    if len(data) > _SAMPLE_BYTES and (cut := sample.rfind(b"\n")) > 0:
        sample = sample[:cut]
    scores: dict[str, float] = {}
    for encoding, is_common in _CANDIDATES.items():
        text = sample.decode(encoding, "replace")
        bad = text.count("\ufffd")
        foreign = [char for char in text if not char.isascii() and char != "\ufffd"]
        if bad * 100 > len(foreign) or not foreign:
            continue
        score = sum(map(is_common, foreign)) / len(foreign)
        score -= sum(map(_is_never_text, foreign)) / len(foreign)
        scores[encoding] = score * _doubt(encoding, foreign)
    few = sample[:_FEW_BYTES]
    for encoding, alphabets in _CODE_PAGES.items():
        try:
            text = few.decode(encoding)
        except UnicodeDecodeError:
            continue
        found = [_alphabet_score(text, alphabet) for alphabet in alphabets]
        if encoding == "cp1252":  # names of many countries stand in one list
            found.append(_ANY_ALPHABET * _western_score(text))
        scores[encoding] = max(found)
    # Sorted is stable: among equals the order of the candidates decides.
    ranked = sorted(scores, key=lambda name: -scores[name])
    return [name for name in ranked if scores[name] >= _PLAUSIBLE]


def _doubt(encoding: str, foreign: list[str]) -> float:
    """Factor for what else the script needs: Japanese has kana, and hangul fill every text.

    Chinese in GB 2312 reads as hangul if all of its few characters come early in the alphabet.
    """
    if encoding in ("cp932", "euc_jp"):
        kana = sum(1 for char in foreign if ord(char) in _KANA)
        return 1.0 if kana * 20 > len(foreign) else _WITHOUT_KANA
    if encoding == "euc_kr" and len(foreign) < _ENOUGH_HANGUL:
        return _FEW_HANGUL
    return 1.0


def _western_score(text: str) -> float:
    runs = re.findall(r"[^\x00-\x7f]+", text)
    total = sum(map(len, runs))
    fitting = sum(
        len(run)
        for run in runs
        if len(run) <= _LETTERS_IN_A_ROW
        and all(char.isalpha() or char in _WESTERN_SIGNS for char in run)
    )
    return fitting / total if total else 0.0


def _alphabet_score(text: str, alphabet: "_Alphabet") -> float:
    """Return how much reads as words: one code page in another gives words of mixed case.

    Frequent letters count double where they are told, since all capitals of one code page are all
    small letters of another. Signs stand beside words, not in them.
    """
    total = sum(1 for char in text if not char.isascii())
    score = 0.5 * sum(1 for sign in _LONE_SIGNS.findall(text) if sign in _SIGNS)
    for word in (alphabet.words or _WORDS).findall(text):
        if word.isascii():
            continue
        letters = [char.lower() for char in word if not char.isascii()]
        weight = sum(1.0 if char in alphabet.frequent else 0.5 for char in letters)
        if not alphabet.is_latin and len(letters) < len(word):
            weight = 0.0  # no word has letters of two scripts
        elif word.isupper() and len(word) > 1:
            weight *= _CAPITALS
        elif _is_mixed(word) or not alphabet.final.isdisjoint(word[:-1]):
            weight *= _MIXED_CASE
        score += weight if alphabet.letters.issuperset(letters) else weight * _MIXED_CASE
    return score / total if total else 0.0


def _is_mixed(word: str) -> bool:
    return word[1:] != word[1:].lower() and not word.isupper()


def _is_gb_common(char: str) -> bool:
    lead = _lead(char, "gb2312")
    return lead in _GB_LEVEL_1 or lead in _GB_SIGNS


def _is_big5_common(char: str) -> bool:
    return _lead(char, "big5") in _BIG5_LEVEL_1


def _is_japanese_common(char: str) -> bool:
    point = ord(char)
    if point in _HALF_WIDTH_KANA:
        return False
    if point in _KANA or point in _PUNCTUATION or point in _FULL_WIDTH:
        return True
    lead = _lead(char, "euc_jp")
    return lead in _JIS_LEVEL_1 or lead in _JIS_SIGNS


def _is_korean_common(char: str) -> bool:
    return ord(char) in _HANGUL or ord(char) in _PUNCTUATION


def _lead(char: str, encoding: str) -> int:
    """First of the two bytes of a character; 0 if it does not have two."""
    try:
        code = char.encode(encoding)
    except UnicodeEncodeError:
        return 0
    return code[0] if len(code) == _DOUBLE else 0


def _is_never_text(char: str) -> bool:
    return unicodedata.category(char) in ("Co", "Cc", "Cn")


def _known(charset: str) -> str:
    """Name of a codec that turns bytes into text, empty for anything else."""
    name = charset.strip().lower().replace("_", "-")
    aliases = {"gb2312": "gb18030", "gbk": "gb18030", "shift-jis": "cp932", "iso-8859-1": "cp1252"}
    name = aliases.get(name, name)
    return name if name in _CHARSETS else ""


def _normalise(text: str) -> str:
    return _NEWLINES.sub("\n", text.removeprefix("\ufeff"))


# Equal scores: kana decide for Japanese, hangul for Korean, before Chinese takes the same bytes.
_CANDIDATES: Final[Mapping[str, Callable[[str], bool]]] = {
    "cp932": _is_japanese_common,
    "euc_jp": _is_japanese_common,
    "euc_kr": _is_korean_common,
    "gb18030": _is_gb_common,
    "big5": _is_big5_common,
}


@dataclass(frozen=True, slots=True)
class _Alphabet:
    """Letters of a language beyond ASCII; ``frequent`` ones make up most of a text."""

    letters: frozenset[str]
    frequent: frozenset[str]
    is_latin: bool = False
    final: frozenset[str] = frozenset()
    """Letters that only end words."""
    words: re.Pattern[str] | None = None
    """What words are where letters and marks are written side by side."""


def _latin(letters: str) -> _Alphabet:
    return _Alphabet(frozenset(letters), frozenset(letters), is_latin=True)


def _script(frequent: str, rest: str, *, final: str = "", words: str = "") -> _Alphabet:
    return _Alphabet(
        letters=frozenset(frequent + rest + final),
        frequent=frozenset(frequent),
        final=frozenset(final),
        words=re.compile(f"[{words}]+") if words else None,
    )


_CYRILLIC: Final = (_script("оеаинтсрвл", "бгджзйкмпуфхцчшщъыьэюяёіїєґўјљњћђџ"),)
_GREEK: Final = (_script("αοιετνσηρπ", "βγδζθκλμξυφχψωάέήίόύώϊϋΐΰ", final="ς"),)
_HEBREW: Final = (_script("יוהלאמרתבש", "גדזחטכנסעפצק", final="םןףץך", words="\u05b0-\u05ea"),)
_ARABIC: Final = (
    _script("اليمنورتبعد", "ءآأؤإئةثجحخذزسشصضطظغفقكهىپچژگ", words="\u0621-\u0652\u067e-\u06af"),
)
_THAI: Final = (
    _script(
        "านรอกเงมยลวดท",
        "".join(map(chr, (*range(0x0E01, 0x0E3B), *range(0x0E40, 0x0E4F)))),
        words="\u0e01-\u0e4e",
    ),
)
_WESTERN: Final = tuple(
    map(
        _latin,
        (
            "äöüß",
            "àâæçèéêëîïôœùûüÿ",
            "áéíñóúü",
            "àáâãçéêíóôõú",
            "àèéìòù",
            "åäöé",
            "åæøé",
            "áðéíóúýþæö",
            "äöüõšž",
        ),
    )
)
_CENTRAL: Final = tuple(
    map(
        _latin,
        (
            "ąćęłńóśźż",
            "áčďéěíňóřšťúůýž",
            "áäčďéíĺľňóôŕšťúýž",
            "áéíóöőúüű",
            "ăâîşţ",
            "čćđšž",
        ),
    )
)
_TURKISH: Final = (_latin("çğ\u0131\u0307öşüâî"),)
_BALTIC: Final = (_latin("ąčęėįšųūž"), _latin("āčēģīķļņšūž"), _latin("äöüõšž"))
# Among equals the first wins: what is more usual comes before its rivals.
_CODE_PAGES: Final[Mapping[str, tuple[_Alphabet, ...]]] = {
    "cp1252": _WESTERN,
    "cp1250": _CENTRAL,
    "iso8859_2": _CENTRAL,
    "cp1254": _TURKISH,
    "cp1257": _BALTIC,
    "iso8859_4": _BALTIC,
    "cp1251": _CYRILLIC,
    "koi8_r": _CYRILLIC,
    "koi8_u": _CYRILLIC,
    "cp866": _CYRILLIC,
    "iso8859_5": _CYRILLIC,
    "mac_cyrillic": _CYRILLIC,
    "cp1253": _GREEK,
    "iso8859_7": _GREEK,
    "cp1255": _HEBREW,
    "cp1256": _ARABIC,
    "iso8859_6": _ARABIC,
    "cp874": _THAI,
}
_CHARSETS: Final = frozenset(
    {
        *("utf-8", "utf-16", "utf-16le", "utf-16be", "gb18030", "big5", "big5-hkscs", "cp932"),
        *("euc-jp", "euc-kr", "cp949", "iso-2022-jp", "cp1252", "windows-1252", "koi8-r"),
        *(f"windows-125{n}" for n in range(9)),
        *(f"iso-8859-{n}" for n in (*range(2, 12), *range(13, 17))),
    }
)
