import { defineConfig } from "@hey-api/openapi-ts";

export default defineConfig({
  input: "../../idl/openapi.yaml",
  output: { path: "src/generated", entryFile: false },
  plugins: [{ name: "@hey-api/typescript" }],
});
