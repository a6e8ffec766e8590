/** The client: one server, one token, and everything that can be asked. */
import { Chats } from "./chats.js";
import { Documents } from "./documents.js";
import { Resources } from "./generated/resources.js";
import { type ClientOptions, Transport } from "./transport.js";
import { Workflows } from "./workflows.js";

declare const process: { env: Record<string, string | undefined> } | undefined;

const LOCAL = "http://127.0.0.1:8000";

/** A server as one token sees it; `admin` has what needs more rights. */
export class Coterie extends Resources {
  override readonly chats: Chats;
  override readonly documents: Documents;
  override readonly workflows: Workflows;
  /** Workspace that `COTERIE_WORKSPACE` names. */
  readonly workspace: string | undefined;

  constructor(options: ClientOptions & { workspace?: string | undefined }) {
    const transport = new Transport(options);
    super(transport);
    this.chats = new Chats(transport);
    this.documents = new Documents(transport);
    this.workflows = new Workflows(transport);
    this.workspace = options.workspace;
  }

  /** Read `COTERIE_BASE_URL`, `COTERIE_TOKEN` and `COTERIE_WORKSPACE`. */
  static fromEnv(options: Partial<ClientOptions> = {}): Coterie {
    const env = typeof process === "undefined" ? {} : process.env;
    const token = options.token ?? env["COTERIE_TOKEN"];
    if (!token) throw new Error("Set COTERIE_TOKEN to a token that `coterie token create` made.");
    return new Coterie({
      baseUrl: env["COTERIE_BASE_URL"] ?? LOCAL,
      workspace: env["COTERIE_WORKSPACE"],
      ...options,
      token,
    });
  }
}
