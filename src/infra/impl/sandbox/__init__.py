"""The jail: native code on hostile input, with nothing in reach."""
