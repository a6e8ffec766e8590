import {
  AudioLines,
  Box,
  Braces,
  Brain,
  CircleCheck,
  CircleOff,
  Eye,
  Star,
  Wrench,
} from "lucide-react";
import { useMemo } from "react";
import { useText } from "../../text/catalogue";
import { formatCompact, formatNumber } from "../../text/formats";
import { StateBadge } from "../../ui/state-badge/state-badge";
import { NameCell } from "../../ui/table/name-cell";
import type { Column } from "../../ui/table/table";
import { Tile } from "../../ui/tile/tile";
import { Tooltip } from "../../ui/tooltip/tooltip";
import styles from "./columns.module.css";
import type { Model } from "./queries";
import { modelsText } from "./text";

export function useColumns(): readonly Column<Model>[] {
  const text = useText(modelsText);
  return useMemo(
    () => [
      {
        key: "name",
        label: text.columns.name,
        width: "minmax(200px, 1fr)",
        render: (model) => (
          <NameCell
            tile={<Tile name={model.display.name || model.id} icon={<Box size={14} />} />}
            name={model.display.name || model.id}
            note={model.display.description}
          />
        ),
      },
      {
        key: "state",
        label: text.columns.state,
        width: "minmax(112px, 144px)",
        render: (model) => <ModelState model={model} />,
      },
      {
        key: "type",
        label: text.columns.type,
        width: "88px",
        leaveOut: "narrow",
        render: (model) => text.types[model.type],
      },
      {
        key: "provider",
        label: text.columns.provider,
        width: "112px",
        leaveOut: "medium",
        render: (model) => model.provider,
      },
      {
        key: "abilities",
        label: text.columns.abilities,
        width: "112px",
        leaveOut: "medium",
        render: (model) => <Abilities model={model} />,
      },
      {
        key: "source",
        label: text.columns.source,
        width: "136px",
        leaveOut: "medium",
        render: (model) => text.sources[model.source],
      },
      {
        key: "window",
        label: text.columns.window,
        width: "72px",
        isNumber: true,
        leaveOut: "narrow",
        render: (model) =>
          model.display.max_tokens > 0 && (
            <span title={formatNumber(model.display.max_tokens)}>
              {formatCompact(model.display.max_tokens)}
            </span>
          ),
      },
    ],
    [text],
  );
}

function ModelState({ model }: { model: Model }) {
  const { states } = useText(modelsText);
  if (!model.enabled) {
    return (
      <StateBadge tone="neutral" icon={<CircleOff size={14} />}>
        {states.off}
      </StateBadge>
    );
  }
  if (model.is_default || model.is_vision_default) {
    return (
      <StateBadge tone="ok" icon={<Star size={14} />}>
        {model.is_default ? states.default : states.vision}
      </StateBadge>
    );
  }
  return (
    <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
      {states.on}
    </StateBadge>
  );
}

function Abilities({ model }: { model: Model }) {
  const { abilities } = useText(modelsText);
  if (model.type !== "llm") return null;
  const { tools, vision, audio, json_schema, reasoning } = model.capabilities;
  const signs = [
    { has: tools !== "none", name: abilities.tools, Sign: Wrench },
    { has: vision, name: abilities.vision, Sign: Eye },
    { has: audio, name: abilities.audio, Sign: AudioLines },
    { has: json_schema, name: abilities.json, Sign: Braces },
    { has: reasoning, name: abilities.reasoning, Sign: Brain },
  ].filter((each) => each.has);
  return (
    <span className={styles.signs}>
      {signs.map(({ name, Sign }) => (
        <Tooltip key={name} label={name}>
          <span role="img" aria-label={name}>
            <Sign size={14} />
          </span>
        </Tooltip>
      ))}
    </span>
  );
}
