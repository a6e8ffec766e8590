/**
 * Stands for the names of attributes in SVG, of which no Markdown makes any: they would be a
 * twentieth of what reads it.
 */
export const svg = { property: {}, normal: {}, space: "svg" };
