/**
 * Stands for the half of the GFM packages that writes Markdown: nothing here does, and it would be a
 * tenth of what reads it.
 */
const never = () => "";

export const defaultHandlers = { inlineCode: never, paragraph: never };
export const markdownTable = never;
