// @vitest-environment node
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const SOURCES = listed("src").filter((path) => /\.tsx?$/.test(path) && !path.endsWith(".d.ts"));
const STYLES = listed("src").filter((path) => path.endsWith(".css"));

function listed(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .sort();
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

function parsed(path: string): ts.SourceFile {
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true, kind);
}

/** Which parts may import which; a part may always import itself. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  json: [],
  text: [],
  style: [],
  api: ["json", "stream"],
  ui: ["text"],
  session: ["api", "text", "ui"],
  stream: ["json"],
  chat: ["json", "stream", "text", "ui"],
  share: ["chat", "stream", "text", "ui"],
  embed: [],
  canvas: ["api", "json", "reach", "session", "stream", "text", "ui"],
  trace: ["api", "json", "text", "ui"],
  agent: ["api", "session", "text", "ui"],
  playground: ["api", "chat"],
  presence: ["api", "stream", "text", "ui"],
  plugin: ["api", "text", "ui"],
  reach: ["session", "text", "tokens", "ui"],
  retrieval: ["api", "json", "text", "ui"],
  tool: ["api", "json", "text", "ui"],
  trial: ["api", "stream", "text", "ui"],
  directory: ["api", "text"],
  groups: ["api", "session", "text", "ui"],
  tokens: ["agent", "api", "session", "text", "ui"],
  features: [
    "agent",
    "api",
    "canvas",
    "chat",
    "directory",
    "groups",
    "json",
    "playground",
    "plugin",
    "presence",
    "reach",
    "retrieval",
    "session",
    "stream",
    "text",
    "tokens",
    "tool",
    "trace",
    "trial",
    "ui",
  ],
  shell: ["api", "directory", "presence", "session", "text", "ui"],
};

function part(path: string): string {
  return path.split("/")[1] ?? "";
}

function imports(path: string): string[] {
  return ts
    .preProcessFile(read(path))
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith("."))
    .map((name) => normalize(join(dirname(path), name)));
}

describe("the parts", () => {
  test("import only what lies below them", () => {
    const wrong = SOURCES.flatMap((path) =>
      imports(path)
        .filter((imported) => {
          const [from, to] = [part(path), part(imported)];
          const allowed = LAYERS[from];
          return allowed !== undefined && from !== to && !allowed.includes(to);
        })
        .map((imported) => `${path} → ${imported}`),
    );
    expect(wrong).toEqual([]);
  });

  test("that are features do not know each other", () => {
    const wrong = SOURCES.filter((path) => part(path) === "features").flatMap((path) =>
      imports(path)
        .filter((to) => part(to) === "features" && to.split("/")[2] !== path.split("/")[2])
        .map((to) => `${path} → ${to}`),
    );
    expect(wrong).toEqual([]);
  });
});

test("values of colour stand in one file", () => {
  const colour = /#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch|oklab|lab|lch|hwb|color)\(/i;
  const wrong = STYLES.filter((path) => !path.endsWith("tokens.css") && colour.test(read(path)));
  expect(wrong).toEqual([]);
});

test("styles stand in the layers whose order is given", () => {
  const layers = (path: string) =>
    [...read(path).matchAll(/@layer ([\w, ]+)/g)].flatMap(([, names = ""]) =>
      names.trim().split(", "),
    );
  const known = new Set(layers("src/style/layers.css"));
  const wrong = STYLES.flatMap((path) =>
    layers(path)
      .filter((name) => !known.has(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(wrong).toEqual([]);
});

test("what the server says is shown in the language of the page", () => {
  // Log lines are for whoever operates the server, and are not sentences of ours alone.
  const untold =
    /(?<!\$)\{(?!(?:text|styles|statuses)\b)(?:[\w?]+\.)*(?:message|degraded|last_error)\}/;
  const shown = /(?:\b(?:message|name|failure|content|value|key|title)=)$/;
  const wrong = SOURCES.filter((path) => path.endsWith(".tsx") && !path.endsWith("/logs.tsx"))
    .flatMap((path) =>
      read(path)
        .split("\n")
        .map((line) => ({ path, line })),
    )
    .filter(({ line }) => {
      const found = untold.exec(line);
      return found !== null && !shown.test(line.slice(0, found.index));
    })
    .map(({ path, line }) => `${path}: ${line.trim()}`);
  expect(wrong).toEqual([]);
});

test("labels are given to fields of the API", () => {
  const fields = new Set(read("../idl/openapi.yaml").match(/(?<=^\s+)\w+(?=:)/gm));
  const given = SOURCES.flatMap((path) =>
    [...read(path).matchAll(/<ErrorLine[^>]*? labels=\{\{([^}]*)\}\}/gs)].flatMap(([, body = ""]) =>
      [...body.matchAll(/"?([\w.]+)"?: /g)].map(([, name = ""]) => ({ path, name })),
    ),
  );
  const wrong = given.filter(({ name }) => !fields.has(name.split(".").at(-1) ?? ""));
  expect(given.length).toBeGreaterThan(50);
  expect(wrong).toEqual([]);
});

/** Controls whose values requests send. */
const CONTROLS = new Set(
  "Combobox MultiCombobox NumberField RadioCards Select SliderField TextArea TextField".split(" "),
);
/** Those in which somebody writes what would be a pity to lose. */
const WRITTEN = new Set("MultiCombobox NumberField TextArea TextField".split(" "));

type Part = { name: string; tags: string[]; unlabelled: boolean; changes: boolean; asks: boolean };

/** Functions of all components, with what they draw. */
const PARTS = SOURCES.filter((path) => path.endsWith(".tsx") && !path.includes(".test.")).flatMap(
  (path) =>
    parsed(path)
      .statements.filter(ts.isFunctionDeclaration)
      .map((each): Part => {
        const found: Part = {
          name: `${path.slice("src/".length)}: ${each.name?.text}`,
          tags: [],
          unlabelled: false,
          changes: false,
          asks: false,
        };
        const visit = (node: ts.Node): void => {
          if (ts.isJsxSelfClosingElement(node) || ts.isJsxOpeningElement(node)) {
            const tag = node.tagName.getText();
            found.tags.push(tag);
            const attributes = node.attributes.properties.map((one) => one.name?.getText());
            if (tag === "ErrorLine" && !attributes.includes("labels")) found.unlabelled = true;
            if (tag === "Form" || tag === "Unsaved") found.asks = true;
          }
          if (ts.isCallExpression(node)) {
            const called = node.expression.getText();
            if (/(^|\.)mutate(Async)?$/.test(called)) found.changes = true;
            if (called === "useUnsaved") found.asks = true;
          }
          ts.forEachChild(node, visit);
        };
        visit(each);
        return found;
      }),
);

test("a refusal calls the fields of every form by their labels", () => {
  const wrong = PARTS.filter(
    ({ tags, unlabelled }) => unlabelled && tags.some((tag) => CONTROLS.has(tag)),
  );
  expect(wrong.map(({ name }) => name)).toEqual([
    // What is read fails here, what is called has names of its own, and a typed name is no field.
    "canvas/forms/kinds/sub-workflow.tsx: SubWorkflowForm",
    "canvas/run/repeat-form.tsx: RepeatForm",
    "features/workbench/shortcut-tool.tsx: ShortcutTool",
    "session/question-dialog.tsx: QuestionDialog",
    "tool/test-call.tsx: TestCall",
    "ui/confirm/confirm.tsx: Confirm",
  ]);
});

test("every form that does not save itself asks before what was entered goes", () => {
  const bare = PARTS.filter(({ tags }) => tags.includes("form"));
  expect(bare.map(({ name }) => name)).toEqual([
    // They ask, find, let in or confirm: nothing of it would have been stored.
    "canvas/run/question-form.tsx: QuestionForm",
    "chat/feedback-form.tsx: FeedbackForm",
    "chat/question-card.tsx: Fields",
    "chat/shortcut-form.tsx: ShortcutForm",
    "features/compare/compare-screen.tsx: Choice",
    "features/databases/table/sql-tab.tsx: SqlTab",
    "features/home/start/question-step.tsx: QuestionStep",
    "features/knowledge/test/test-pane.tsx: Trial",
    "features/models/model/ask-panel.tsx: AskPanel",
    "features/sign-in/sign-in.tsx: Ways",
    "features/welcome/invited.tsx: Register",
    "features/welcome/welcome.tsx: Begin",
    "features/workbench/improve-dialog.tsx: ImproveDialog",
    "session/question-dialog.tsx: QuestionDialog",
    "share/gates.tsx: PasswordGate",
    "tool/test-call.tsx: TestCall",
    "ui/chip/typed-chip.tsx: TypedChip",
    "ui/confirm/confirm.tsx: Confirm",
    "ui/form/form.tsx: Form",
  ]);
  const silent = PARTS.filter(
    ({ tags, changes, asks }) =>
      changes && !asks && !tags.includes("form") && tags.some((tag) => WRITTEN.has(tag)),
  );
  expect(silent.map(({ name }) => name)).toEqual([
    // What is chosen goes to the form around it, or is stored at once.
    "features/knowledge/import/documents-form.tsx: DocumentsForm",
    "features/settings/general.tsx: Hosts",
  ]);
});

test("types are never asserted", () => {
  const wrong: string[] = [];
  for (const path of SOURCES) {
    const visit = (node: ts.Node): void => {
      const isConst = ts.isAsExpression(node) && node.type.getText() === "const";
      if (ts.isAsExpression(node) && !isConst) wrong.push(`${path}: ${node.getText()}`);
      ts.forEachChild(node, visit);
    };
    visit(parsed(path));
  }
  expect(wrong).toEqual([]);
});

test("texts stand in catalogues, not in components", () => {
  const spoken = new Set(["aria-label", "title", "placeholder", "label", "alt"]);
  const wrong: string[] = [];
  for (const path of SOURCES.filter((each) => each.endsWith(".tsx") && !each.includes(".test."))) {
    const visit = (node: ts.Node): void => {
      if (ts.isJsxText(node) && /\p{L}/u.test(node.text))
        wrong.push(`${path}: ${node.text.trim()}`);
      if (ts.isJsxAttribute(node) && spoken.has(node.name.getText())) {
        const value = node.initializer;
        if (value && ts.isStringLiteral(value) && value.text) wrong.push(`${path}: ${value.text}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(parsed(path));
  }
  expect(wrong).toEqual([]);
});

test("Chinese texts have Chinese punctuation and air around Latin words", () => {
  const wrong: string[] = [];
  for (const path of SOURCES.filter((each) => each.endsWith("text.zh.ts"))) {
    const visit = (node: ts.Node): void => {
      if (
        ts.isStringLiteral(node) ||
        ts.isTemplateHead(node) ||
        ts.isNoSubstitutionTemplateLiteral(node)
      ) {
        const { text } = node;
        const isMixed = /\p{Script=Han}[,;:!?]|[,;!?]\p{Script=Han}/u.test(text);
        const isTight = /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u.test(text);
        if (isMixed || isTight) wrong.push(`${path}: ${text}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(parsed(path));
  }
  expect(wrong).toEqual([]);
});

test("packages are pinned, few, and known by digest alone", () => {
  const manifest: Record<string, Record<string, string>> = JSON.parse(read("package.json"));
  const production = manifest["dependencies"] ?? {};
  const all = { ...production, ...manifest["devDependencies"] };
  const pinned = /^(npm:[a-z]+@)?\d+\.\d+\.\d+$/; // one may come in two versions, under two names
  const loose = Object.entries(all).filter(([, version]) => !pinned.test(version));
  expect(loose).toEqual([]);
  expect(Object.keys(production).length).toBeLessThanOrEqual(30);
  expect(read("package-lock.json")).not.toContain('"resolved"');
  const named = Object.keys(production).filter(
    (name) => !read("README.md").includes(`\`${name}\``),
  );
  expect(named).toEqual([]);
});

/** Categories of nodes, each with a hue for its tile. */
const KINDS = "ends model logic knowledge database outside code person conversation".split(" ");

describe("contrast", () => {
  const tokens = tokenValues();
  const grounds = ["--bg", "--sunken", "--raised", "--hover"];
  const texts = ["--text", "--text-2", "--text-3", "--accent-text", "--bad"];
  const pairs = [
    ...grounds.flatMap((ground) => texts.map((text) => [text, ground, 4.5] as const)),
    ...["ok", "warn", "bad", "run", "wait"].flatMap((state) => [
      [`--${state}`, `--${state}-soft`, 4.5] as const,
      [`--${state}`, "--bg", 3] as const,
    ]),
    ...KINDS.map((kind) => [`--kind-${kind}`, `--kind-${kind}-soft`, 3] as const),
    ...["ok", "run", "wait"].map((state) => [`--${state}`, "--sunken", 4.5] as const),
    ["--text", "--warn-soft", 4.5] as const,
    ["--text", "--bad-soft", 4.5] as const,
    ["--text-2", "--bad-soft", 4.5] as const,
    ["--text", "--active", 4.5] as const,
    ["--text-2", "--active", 4.5] as const,
    ["--accent-text", "--accent-soft", 4.5] as const,
    ["--accent-text", "--active", 3] as const,
    ["--on-accent", "--accent", 4.5] as const,
    ["--on-accent", "--accent-strong", 4.5] as const,
    ["--on-accent", "--bad-fill", 4.5] as const,
    ["--control", "--bg", 3] as const,
    ["--control", "--raised", 3] as const,
    ["--accent", "--bg", 3] as const,
  ];
  test.each(["light", "dark"] as const)(
    "of every pair in use is enough in the %s theme",
    (theme) => {
      const side = theme === "light" ? 0 : 1;
      const low = pairs
        .map(([a, b, least]) => ({
          pair: `${a} on ${b}`,
          ratio: ratio(of(a)[side], of(b)[side]),
          least,
        }))
        .filter(({ ratio: found, least }) => found < least);
      expect(low).toEqual([]);
    },
  );

  function of(name: string): readonly [number, number] {
    const found = tokens.get(name);
    if (!found) throw new Error(`${name} is no token`);
    return found;
  }
});

test("every package of the lock has its version and no address", () => {
  // npm writes entries without one where a folder of packages was there before; npm ci refuses them.
  const { packages }: { packages: Record<string, { version?: string; resolved?: string }> } =
    JSON.parse(read("package-lock.json"));
  const loose = Object.entries(packages).filter(([, each]) => !each.version || each.resolved);
  expect(loose.map(([name]) => name)).toEqual([]);
});

/** Luminance of each token by theme. */
function tokenValues(): Map<string, readonly [number, number]> {
  const found = new Map<string, readonly [number, number]>();
  const line =
    /(--[\w-]+): (?:light-dark\((oklch\([^)]+\)), (oklch\([^)]+\))\)|(oklch\([^)]+\)));/g;
  for (const [, name = "", light, dark, both] of read("src/style/tokens.css").matchAll(line)) {
    found.set(name, [luminance(light ?? both ?? ""), luminance(dark ?? both ?? "")]);
  }
  return found;
}

/** Relative luminance of an OKLCH colour (CSS Color 4, 10; WCAG 2.2). */
function luminance(text: string): number {
  const [l = 0, c = 0, h = 0] = (text.match(/[\d.]+/g) ?? []).map(Number);
  const [a, b] = [c * Math.cos((h * Math.PI) / 180), c * Math.sin((h * Math.PI) / 180)];
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  const red = clip(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short);
  const green = clip(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short);
  const blue = clip(-0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function ratio(one: number, other: number): number {
  const [dark, light] = one < other ? [one, other] : [other, one];
  return (light + 0.05) / (dark + 0.05);
}
