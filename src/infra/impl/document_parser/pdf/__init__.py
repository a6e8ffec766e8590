"""Layout of PDF pages: characters to lines, columns, paragraphs, tables and images."""
