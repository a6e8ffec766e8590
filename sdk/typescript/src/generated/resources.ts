// Generated from the OpenAPI document by `make sdk`: do not edit.
import type { Transport } from "../transport.js";
import { Admin } from "./admin.js";
import { Avatars } from "./avatars.js";
import { Files } from "./files.js";
import { Operations } from "./operations.js";
import { Icons } from "./icons.js";
import { Images } from "./images.js";
import { Oauth } from "./oauth.js";
import { Documents } from "./documents.js";
import { Share } from "./share.js";
import { Apps } from "./apps.js";
import { Bots } from "./bots.js";
import { Openai } from "./openai.js";
import { Connectors } from "./connectors.js";
import { Conversations } from "./conversations.js";
import { Messages } from "./messages.js";
import { Datasets } from "./datasets.js";
import { Slices } from "./slices.js";
import { Runs } from "./runs.js";
import { Templates } from "./templates.js";
import { Users } from "./users.js";
import { Variables } from "./variables.js";
import { Workflows } from "./workflows.js";
import { Workspaces } from "./workspaces.js";
import { Members } from "./members.js";
import { Chats } from "./chats.js";

/** All operations of the document, by what they are about. */
export class Resources {
  readonly admin: Admin;
  readonly avatars: Avatars;
  readonly files: Files;
  readonly operations: Operations;
  readonly icons: Icons;
  readonly images: Images;
  readonly oauth: Oauth;
  readonly documents: Documents;
  readonly share: Share;
  readonly apps: Apps;
  readonly bots: Bots;
  readonly openai: Openai;
  readonly connectors: Connectors;
  readonly conversations: Conversations;
  readonly messages: Messages;
  readonly datasets: Datasets;
  readonly slices: Slices;
  readonly runs: Runs;
  readonly templates: Templates;
  readonly users: Users;
  readonly variables: Variables;
  readonly workflows: Workflows;
  readonly workspaces: Workspaces;
  readonly members: Members;
  readonly chats: Chats;

  constructor(transport: Transport) {
    this.admin = new Admin(transport);
    this.avatars = new Avatars(transport);
    this.files = new Files(transport);
    this.operations = new Operations(transport);
    this.icons = new Icons(transport);
    this.images = new Images(transport);
    this.oauth = new Oauth(transport);
    this.documents = new Documents(transport);
    this.share = new Share(transport);
    this.apps = new Apps(transport);
    this.bots = new Bots(transport);
    this.openai = new Openai(transport);
    this.connectors = new Connectors(transport);
    this.conversations = new Conversations(transport);
    this.messages = new Messages(transport);
    this.datasets = new Datasets(transport);
    this.slices = new Slices(transport);
    this.runs = new Runs(transport);
    this.templates = new Templates(transport);
    this.users = new Users(transport);
    this.variables = new Variables(transport);
    this.workflows = new Workflows(transport);
    this.workspaces = new Workspaces(transport);
    this.members = new Members(transport);
    this.chats = new Chats(transport);
  }
}