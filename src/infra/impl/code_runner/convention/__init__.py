"""How code is called where it does not define ``main(args)``: a file per convention and language.

The guest evaluates such a file before the code; whatever stands in it is the user's to change.
"""
