import type { ModelInput, PriceTier } from "../../../api/schema";
import type { Model } from "../queries";

/** Abilities that a person sets; the others follow from the provider. */
export const ABILITIES = ["vision", "audio", "json_object", "json_schema", "reasoning"] as const;

export type Tools = Model["capabilities"]["tools"];

export type Abilities = { tools: Tools } & Record<(typeof ABILITIES)[number], boolean>;

export type TierEdit = { upto: number | undefined; input: string; output: string; cached: string };

/** A model as a form holds it; `key` is only what is typed anew. */
export type ModelEdit = {
  type: Model["type"];
  provider: string;
  name: string;
  description: string;
  aliases: string;
  address: string;
  key: string;
  upstream: string;
  window: number | undefined;
  output: number | undefined;
  concurrency: number | undefined;
  isEnabled: boolean;
  isDefault: boolean;
  isVisionDefault: boolean;
  isOwn: boolean;
  abilities: Abilities;
  fallbacks: readonly string[];
  groups: readonly string[];
  money: readonly TierEdit[];
};

const UNSET: Abilities = {
  tools: "native",
  vision: false,
  audio: false,
  json_object: true,
  json_schema: false,
  reasoning: false,
};

export const NEW: ModelEdit = {
  type: "llm",
  provider: "openai",
  name: "",
  description: "",
  aliases: "",
  address: "",
  key: "",
  upstream: "",
  window: undefined,
  output: undefined,
  concurrency: undefined,
  isEnabled: true,
  isDefault: false,
  isVisionDefault: false,
  isOwn: false,
  abilities: UNSET,
  fallbacks: [],
  groups: [],
  money: [],
};

export function editOf(model: Model): ModelEdit {
  const { settings, display } = model;
  const upstream = settings?.connection.model ?? "";
  return {
    type: model.type,
    provider: model.provider,
    name: display.name,
    description: display.description,
    aliases: model.aliases.join(", "),
    address: settings?.connection.base_url ?? "",
    key: "",
    upstream: upstream === display.name ? "" : upstream,
    window: display.max_tokens || undefined,
    output: display.output_tokens || undefined,
    concurrency: settings?.concurrency || undefined,
    isEnabled: model.enabled,
    isDefault: model.is_default,
    isVisionDefault: model.is_vision_default,
    isOwn: settings?.has_own_capabilities ?? false,
    abilities: abilitiesOf(model.capabilities),
    fallbacks: settings?.fallbacks ?? [],
    groups: settings?.groups ?? [],
    money: (settings?.prices.money ?? []).map(tierOf),
  };
}

export function abilitiesOf(capabilities: Model["capabilities"]): Abilities {
  const { tools, vision, audio, json_object, json_schema, reasoning } = capabilities;
  return { tools, vision, audio, json_object, json_schema, reasoning };
}

function tierOf(tier: PriceTier): TierEdit {
  return {
    upto: tier.upto_input ?? undefined,
    input: tier.input ?? "",
    output: tier.output ?? "",
    cached: tier.cached_input ?? "",
  };
}

function onWire(tier: TierEdit): PriceTier {
  return {
    upto_input: tier.upto ?? null,
    input: tier.input.trim() || "0",
    output: tier.output.trim() || "0",
    cached_input: tier.cached.trim() || null,
  };
}

/** What is stored: all of a new model, of a stored one only what differs. */
export function inputOf(edit: ModelEdit, before: ModelEdit | undefined): ModelInput {
  const differs = (...names: (keyof ModelEdit)[]) =>
    !before || names.some((name) => !isSame(edit[name], before[name]));
  const optional = <T>(value: T, ...names: (keyof ModelEdit)[]) =>
    differs(...names) ? { value } : undefined;
  const display = {
    ...(differs("name") && { name: edit.name.trim() }),
    ...(differs("description") && { description: edit.description.trim() || null }),
    ...(differs("window") && { max_tokens: edit.window ?? null }),
    ...(differs("output") && { output_tokens: edit.output ?? null }),
  };
  const connection = {
    ...(differs("address") && { base_url: edit.address.trim() || null }),
    ...(edit.key.trim() && { api_key: edit.key.trim() }),
    ...(differs("upstream") && { model: edit.upstream.trim() || null }),
  };
  const abilities = optional(edit.isOwn ? edit.abilities : null, "isOwn", "abilities");
  return {
    ...(!before && { type: edit.type }),
    ...(differs("provider") && { provider: edit.provider }),
    ...(Object.keys(display).length > 0 && { display }),
    ...(Object.keys(connection).length > 0 && { connection }),
    ...(differs("aliases") && { aliases: namesOf(edit.aliases) }),
    ...(differs("fallbacks") && { fallbacks: [...edit.fallbacks] }),
    ...(differs("groups") && { groups: [...edit.groups] }),
    ...(differs("concurrency") && { concurrency: edit.concurrency ?? null }),
    ...(differs("isEnabled") && { enabled: edit.isEnabled }),
    ...(differs("isDefault") && { is_default: edit.isDefault }),
    ...(differs("isVisionDefault") && { is_vision_default: edit.isVisionDefault }),
    ...(abilities && (edit.isOwn || before) && { capabilities: abilities.value }),
    ...(differs("money") && { prices: { money: edit.money.map(onWire) } }),
  };
}

/** Whether what is stored would have to be called to know that it works. */
export function changesConnection(edit: ModelEdit, before: ModelEdit | undefined): boolean {
  if (!before) return true;
  const { provider, address, upstream } = before;
  return (
    Boolean(edit.key.trim()) ||
    edit.provider !== provider ||
    edit.address !== address ||
    edit.upstream !== upstream ||
    (!edit.upstream && edit.name !== before.name)
  );
}

export function namesOf(list: string): string[] {
  return list
    .split(/[,，\n]/)
    .map((name) => name.trim())
    .filter(Boolean);
}

/** A list with one of its items in another place. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const item = list[from];
  if (item === undefined || to < 0 || to >= list.length) return list;
  const rest = list.filter((_, index) => index !== from);
  return [...rest.slice(0, to), item, ...rest.slice(to)];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export type Price = { input: number; output: number; unit: number; isTiered: boolean };

/** What the first tier asks in money; nothing where nobody priced the model. */
export function priceOf(model: Model): Price | undefined {
  const prices = model.settings?.prices;
  const [first, ...more] = prices?.money ?? [];
  if (!prices || !first) return undefined;
  return {
    input: Number(first.input ?? 0),
    output: Number(first.output ?? 0),
    unit: prices.unit ?? 1_000_000,
    isTiered: more.length > 0,
  };
}
