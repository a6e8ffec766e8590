"""Python and JavaScript as WebAssembly, in locked worker processes."""
