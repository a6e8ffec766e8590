import { expect, test } from "vitest";
import type { ShareLinkItem } from "../../../api/schema";
import { changesOf, draftOf } from "./draft";

const LINK: ShareLinkItem = {
  id: "1",
  workspace_id: "2",
  creator_id: "3",
  code: "abc",
  target_type: "agent",
  target_id: "4",
  auth: "none",
  has_password: false,
  key_last4: "",
  public_key: "",
  hook_url: "",
  created_at: 0,
  updated_at: 0,
  expires_at: 1_800_000_000,
  settings: {
    name: "Help",
    welcome: "",
    suggestions: ["One?", "Two?"],
    theme: "system",
    accent: "",
    language: "",
    footer: "",
    closed_text: "",
    allows_files: false,
    keeps_history: true,
    takes_feedback: true,
    shows_citations: false,
    shows_steps: false,
    runs_per_min: 0,
    allowed_origins: ["https://a.example"],
  },
};

test("what was not touched changes nothing", () => {
  expect(changesOf(LINK, draftOf(LINK))).toBeUndefined();
});

test("only what was changed is sent", () => {
  const draft = { ...draftOf(LINK), suggestions: "One?\n\n", shows_steps: true };
  expect(changesOf(LINK, draft)).toEqual({
    settings: { suggestions: ["One?"], shows_steps: true },
  });
});

test("a server that lets visitors in is sent with its address", () => {
  const draft = { ...draftOf(LINK), auth: "hook" as const, hook_url: " https://a.example/in " };
  expect(changesOf(LINK, draft)).toEqual({ auth: "hook", hook_url: "https://a.example/in" });
});

test("a way in, a password and the end are sent beside the settings", () => {
  const draft = { ...draftOf(LINK), auth: "password" as const, password: "sesame", expires: "" };
  expect(changesOf(LINK, draft)).toEqual({
    auth: "password",
    password: "sesame",
    expires_at: null,
  });
});
