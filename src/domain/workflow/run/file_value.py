"""Files as inputs: an address, and a name that came with it."""

from domain.workflow.convert import split_file_url
from domain.workflow.execution_call import Call
from domain.workflow.text import to_text


def file_of(call: Call, name: str) -> tuple[str, str]:
    """Return address and original name of a file input; empty texts for what is not known."""
    url, known = split_file_url(to_text(call.inputs.get(name)))
    binding = call.node.input(name)
    if binding is not None and binding.file_names:
        known = binding.file_names[0]
    return url, known
