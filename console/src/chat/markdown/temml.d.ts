/** What we use of it; its own types are not found where the module is imported. */
declare module "temml" {
  /** An element of MathML, or a text, as it is going to be. */
  export type MathNode = {
    attributes?: Record<string, string>;
    style?: Record<string, string>;
    children?: readonly MathNode[];
    toNode: () => Node;
  };
  type Options = { displayMode: boolean; annotate: boolean; throwOnError: boolean };
  const temml: { __renderToMathMLTree: (tex: string, options: Options) => MathNode };
  // biome-ignore lint/style/noDefaultExport: this is how the package exports it
  export default temml;
}
