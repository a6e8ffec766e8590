"""Where in a JSON text a place stands: inside of a string, or where a whole value goes."""

from typing import Final

_COMMENTS: Final = {"//": "\n", "/*": "*/"}


def open_quote(text: str, state: str = "") -> str:
    """Tell what a place after ``text`` stands in: a quote of JSON5, a comment, or "" for neither.

    ``state`` is what ``text`` begins in.
    """
    position = 0
    while position < len(text):
        char = text[position]
        pair = text[position : position + 2]
        if state in _COMMENTS:
            end = text.find(_COMMENTS[state], position)
            if end < 0:
                return state
            position, state = end + len(_COMMENTS[state]), ""
        elif char == "\\" and state:
            position += 2
        elif not state and pair in _COMMENTS:
            position, state = position + 2, pair
        else:
            if char == state:
                state = ""
            elif char in "\"'" and not state:
                state = char
            position += 1
    return state
