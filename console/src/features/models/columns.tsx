import { Link } from "@tanstack/react-router";
import {
  AudioLines,
  Box,
  Braces,
  Brain,
  CircleCheck,
  CircleDashed,
  CircleOff,
  CircleX,
  Eye,
  Lock,
  Star,
  Wrench,
} from "lucide-react";
import { useMemo } from "react";
import { useText } from "../../text/catalogue";
import { formatCompact, formatDuration, formatNumber } from "../../text/formats";
import { StateBadge } from "../../ui/state-badge/state-badge";
import { NameCell } from "../../ui/table/name-cell";
import type { Column } from "../../ui/table/table";
import { Tile } from "../../ui/tile/tile";
import { Tooltip } from "../../ui/tooltip/tooltip";
import styles from "./columns.module.css";
import { priceOf } from "./model/edit";
import type { Figures, Model } from "./queries";
import { modelsText } from "./text";

/** What everybody sees of a model; administrators also how it is set, tested and does. */
export function useColumns(
  isAdmin: boolean,
  figures: ReadonlyMap<string, Figures> | undefined,
): readonly Column<Model>[] {
  const text = useText(modelsText);
  return useMemo(() => {
    const figuresOf = (model: Model) => figures?.get(model.display.name);
    const ofAdmins: readonly Column<Model>[] = [
      {
        key: "test",
        label: text.columns.test,
        width: "minmax(96px, 120px)",
        leaveOut: "narrow",
        render: (model) => <LastTest model={model} />,
      },
      {
        key: "price",
        label: text.columns.price,
        width: "104px",
        isNumber: true,
        leaveOut: "medium",
        render: (model) => <Price model={model} />,
      },
      {
        key: "errors",
        label: text.columns.errors,
        width: "80px",
        isNumber: true,
        leaveOut: "large",
        render: (model) => <Errors figures={figuresOf(model)} />,
      },
      {
        key: "first",
        label: text.columns.first,
        width: "88px",
        isNumber: true,
        leaveOut: "large",
        render: (model) => {
          const ms = figuresOf(model)?.first_token_p50_ms;
          return ms === null || ms === undefined ? null : formatDuration(ms);
        },
      },
    ];
    return [
      {
        key: "name",
        label: text.columns.name,
        width: "minmax(200px, 1fr)",
        render: (model) => (
          <NameCell
            tile={<Tile name={model.display.name || model.id} icon={<Box size={14} />} />}
            name={
              isAdmin ? (
                <Link to="/models/$modelId" params={{ modelId: model.id }}>
                  {model.display.name || model.id}
                </Link>
              ) : (
                model.display.name || model.id
              )
            }
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
        leaveOut: "huge",
        render: (model) => <Abilities model={model} />,
      },
      {
        key: "source",
        label: text.columns.source,
        width: "136px",
        leaveOut: "huge",
        render: (model) => <Source model={model} />,
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
      ...(isAdmin ? ofAdmins : []),
    ];
  }, [text, isAdmin, figures]);
}

function Source({ model }: { model: Model }) {
  const text = useText(modelsText);
  const word = text.sources[model.source];
  if (!model.is_read_only) return word;
  return (
    <Tooltip label={text.readOnly[model.source]}>
      <span className={styles.locked}>
        <Lock size={12} aria-hidden="true" /> {word}
      </span>
    </Tooltip>
  );
}

function LastTest({ model }: { model: Model }) {
  const { tests } = useText(modelsText);
  const last = model.settings?.last_test;
  if (!last) return <span className={styles.quiet}>{tests.none}</span>;
  if (last.is_outdated) {
    return (
      <StateBadge tone="neutral" icon={<CircleDashed size={14} />}>
        {tests.outdated}
      </StateBadge>
    );
  }
  return (
    <StateBadge
      tone={last.ok ? "ok" : "bad"}
      icon={last.ok ? <CircleCheck size={14} /> : <CircleX size={14} />}
    >
      {last.ok ? tests.ok : tests.failed}
    </StateBadge>
  );
}

function Price({ model }: { model: Model }) {
  const text = useText(modelsText);
  const price = priceOf(model);
  if (!price) return null;
  const words = `${formatNumber(price.input)} / ${formatNumber(price.output)}`;
  return (
    <span title={text.priceOf(formatNumber(price.unit))}>
      {words}
      {price.isTiered && "…"}
    </span>
  );
}

function Errors({ figures }: { figures: Figures | undefined }) {
  const text = useText(modelsText);
  if (!figures) return null;
  return (
    <span
      title={text.errorsOf(formatNumber(figures.failed), formatNumber(figures.calls))}
      className={figures.failed > 0 ? styles.bad : undefined}
    >
      {formatNumber(figures.failed)}
    </span>
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
