"""Office Open XML packages: parts, relationships and properties, without namespaces."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote
from xml.etree import ElementTree as ET

from infra.contract.document.parser import DocumentNotParsed, ExtractedImage, ParseFailure
from infra.impl.document_parser.archive import Archive
from infra.impl.document_parser.office import xml_tree
from infra.impl.document_parser.output import Output

_REFERENCE: Final = "relationships"


@dataclass(frozen=True, slots=True)
class Relationship:
    """A reference of one part to another, or to an address outside of the file."""

    kind: str
    """Last word of the type: ``image``, ``hyperlink``, ``worksheet`` and so on."""
    target: str
    is_external: bool


class Package:
    """Reads parts of an Office file by name. Raises ``DocumentNotParsed`` for damaged ones."""

    def __init__(self, data: bytes, output: Output) -> None:
        self._archive = Archive(data, limits=output.limits)
        self._output = output
        self._images: dict[str, ExtractedImage | None] = {}

    @property
    def main_part(self) -> str:
        """Name of the document itself."""
        for relationship in self.relationships("").values():
            if relationship.kind == "officeDocument":
                return relationship.target
        raise DocumentNotParsed(ParseFailure.CORRUPT, "The file is damaged: it has no main part.")

    def __contains__(self, part: str) -> bool:
        return part in self._archive

    def stream(self, part: str) -> Iterator[bytes]:
        return self._archive.stream(part)

    def tree(self, part: str) -> ET.Element:
        """Parse a part; names lose their namespace, references get the prefix ``r:``."""
        return local_tree(self._archive.read(part))

    def optional_tree(self, part: str) -> ET.Element | None:
        """Parse a part if it exists."""
        return self.tree(part) if part in self._archive else None

    def related_tree(self, part: str, kind: str) -> ET.Element | None:
        """Parse the part that another one refers to by a kind, if there is one."""
        for relationship in self.relationships(part).values():
            if relationship.kind == kind and not relationship.is_external:
                return self.optional_tree(relationship.target)
        return None

    def relationships(self, part: str) -> dict[str, Relationship]:
        """References of a part by their id; those of the package for an empty name."""
        folder, name = posixpath.split(part)
        tree = self.optional_tree(posixpath.join(folder, "_rels", f"{name}.rels"))
        found: dict[str, Relationship] = {}
        for element in tree if tree is not None else ():
            target = element.get("Target", "")
            is_external = element.get("TargetMode") == "External"
            if not is_external:
                target = posixpath.normpath(posixpath.join("/", folder, unquote(target)))[1:]
            found[element.get("Id", "")] = Relationship(
                element.get("Type", "").rpartition("/")[2], target, is_external
            )
        return found

    def image(self, relationship: Relationship | None) -> ExtractedImage | None:
        """Extract an embedded image; null with a warning if that is impossible."""
        if relationship is None or relationship.is_external:
            self._output.metadata.warn(
                "image_not_fetched", relationship.target if relationship else ""
            )
            return None
        # The library is only for those that have pictures, and never for who lists formats.
        from infra.impl.document_parser.picture import read_image  # noqa: PLC0415

        name = relationship.target
        if name not in self._images:
            try:
                self._images[name] = read_image(
                    self._archive.read(name), limits=self._output.limits
                )
            except DocumentNotParsed:
                # Vector formats of Office land here; the text around them is not lost.
                self._output.metadata.warn("image_unreadable", posixpath.basename(name))
                self._images[name] = None
        return self._images[name]

    def describe(self) -> None:
        """Take title and author from the properties of the file."""
        for relationship in self.relationships("").values():
            if relationship.kind == "core-properties":
                tree = self.optional_tree(relationship.target)
                if tree is not None:
                    self._output.metadata.title = tree.findtext("title") or ""
                    self._output.metadata.author = tree.findtext("creator") or ""
                    self._output.metadata.language = tree.findtext("language") or ""


def local_tree(data: bytes) -> ET.Element:
    """Parse XML and forget namespaces."""
    builder = ET.TreeBuilder()

    def start(name: str, attributes: dict[str, str]) -> None:
        builder.start(_local(name), {_attribute(key): value for key, value in attributes.items()})

    def end(name: str) -> None:
        builder.end(_local(name))

    def text(value: str) -> None:
        builder.data(value)

    xml_tree.scan(data, start=start, end=end, text=text)
    return builder.close()


def present(element: ET.Element) -> Iterator[ET.Element]:
    """Yield children; of alternatives only the first, which is what current programs show."""
    for child in element:
        if child.tag == "AlternateContent":
            branch = child.find("Choice")
            if branch is None:
                branch = child.find("Fallback")
            if branch is not None:
                yield from present(branch)
        else:
            yield child


def is_on(element: ET.Element | None) -> bool:
    """Whether a switch is set: present, and not turned off by its value."""
    return element is not None and element.get("val", "1") not in ("0", "false", "off", "none")


def value_of(element: ET.Element | None, path: str) -> str:
    """Return the ``val`` of an inner element, or nothing."""
    found = element.find(path) if element is not None else None
    return found.get("val", "") if found is not None else ""


def number_of(text: str | None, *, default: int) -> int:
    """Read a whole number; anything else is the default."""
    try:
        return int(text or "")
    except ValueError:
        return default


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _attribute(name: str) -> str:
    namespace, _, local = name.rpartition("}")
    return f"r:{local}" if namespace.endswith(_REFERENCE) else local
