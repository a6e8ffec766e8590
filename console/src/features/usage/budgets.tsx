import { CircleAlert, CircleCheck, CircleX, Pencil, PiggyBank } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { failureOf } from "../../api/list";
import { formatMoney, formatPercent, formatStep } from "../../text/amounts";
import { useText } from "../../text/catalogue";
import { formatNumber } from "../../text/formats";
import { classes } from "../../ui/classes";
import { ConfirmDelete } from "../../ui/confirm/confirm-delete";
import { EmptyState } from "../../ui/empty-state/empty-state";
import { ErrorState } from "../../ui/error-state/error-state";
import { RowMenu } from "../../ui/list/row-menu";
import { MenuItem } from "../../ui/menu/menu";
import { PageBody } from "../../ui/page/page";
import { StateBadge } from "../../ui/state-badge/state-badge";
import styles from "./budgets.module.css";
import { forecast, share } from "./forecast";
import {
  type Budget,
  isNamed,
  useBudgets,
  useCurrency,
  useDeleteBudget,
  useThings,
} from "./queries";
import { usageText } from "./text";

const BudgetDialog = lazy(() => import("./budget-dialog"));

type Props = {
  workspaceId: string;
  canWrite: boolean;
  isMaking: boolean;
  setMaking: (isMaking: boolean) => void;
};

/** How much may be used, and how far that is. */
export function Budgets({ workspaceId, canWrite, isMaking, setMaking }: Props) {
  const { budgets: text } = useText(usageText);
  const { data, error, refetch } = useBudgets(workspaceId);
  const currency = useCurrency(workspaceId);
  const remove = useDeleteBudget();
  const [edited, setEdited] = useState<Budget>();
  const [doomed, setDoomed] = useState<Budget>();
  const failure = data ? undefined : failureOf(error);
  if (failure) return <ErrorState failure={failure} onRetry={() => void refetch()} />;
  return (
    <>
      {data?.items.length === 0 && (
        <EmptyState title={text.empty} drawing={<PiggyBank size={40} strokeWidth={1} />}>
          {text.emptyWhy}
        </EmptyState>
      )}
      {data && currency && data.items.length > 0 && (
        <PageBody>
          <ul className={styles.list}>
            {data.items.map((budget) => (
              <Meter
                key={budget.id}
                workspaceId={workspaceId}
                budget={budget}
                currency={currency}
                onEdit={canWrite ? () => setEdited(budget) : undefined}
                onDelete={canWrite ? () => setDoomed(budget) : undefined}
              />
            ))}
          </ul>
        </PageBody>
      )}
      <Suspense>
        {(isMaking || edited) && (
          <BudgetDialog
            workspaceId={workspaceId}
            budget={edited}
            onClose={() => {
              setEdited(undefined);
              setMaking(false);
            }}
          />
        )}
      </Suspense>
      {doomed && (
        <ConfirmDelete
          thing={doomed}
          words={text}
          name={doomed.name || text.subjects[doomed.subject_type]}
          isTyped={false}
          remove={remove}
          failure={failureOf(remove.error)}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </>
  );
}

type MeterProps = {
  workspaceId: string;
  budget: Budget;
  currency: string;
  onEdit: (() => void) | undefined;
  onDelete: (() => void) | undefined;
};

function Meter({ workspaceId, budget, currency, onEdit, onDelete }: MeterProps) {
  const { budgets: text } = useText(usageText);
  const kind = isNamed(budget.subject_type) ? budget.subject_type : undefined;
  const things = useThings(workspaceId, kind);
  const [nowS] = useState(() => Date.now() / 1000);
  const part = share(budget);
  const end = forecast(budget, nowS);
  const whose = things?.find((each) => each.value === budget.subject_id)?.label;
  const of = text.subjects[budget.subject_type];
  const subject =
    budget.subject_type === "workspace" ? of : text.subjectOf(of, whose ?? budget.subject_id);
  const name = budget.name || subject;
  const number = (value: string) =>
    budget.unit === "money"
      ? formatMoney(Number(value), currency)
      : formatNumber(Math.round(Number(value) * 100) / 100);
  const amount =
    budget.unit === "money"
      ? number(budget.amount)
      : text.units[budget.unit](number(budget.amount));
  const spent = text.spent(number(budget.spent), amount);
  return (
    <li className={styles.budget}>
      <div className={styles.head}>
        <div className={styles.words}>
          <h2 className={styles.name}>{name}</h2>
          <p className={styles.note}>
            {[
              budget.name && subject,
              text.periods[budget.period],
              budget.is_hard ? text.hard : text.soft,
            ]
              .filter(Boolean)
              .join(" · ")}
          </p>
        </div>
        <State state={budget.state} />
        <RowMenu name={name} id={budget.id} onDelete={onDelete}>
          {onEdit && (
            <MenuItem icon={<Pencil size={16} />} onSelect={onEdit}>
              {text.edit}
            </MenuItem>
          )}
        </RowMenu>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: the element cannot show what is ahead */}
      <svg
        role="meter"
        aria-label={name}
        aria-valuenow={Math.round(part * 100)}
        aria-valuemin={0}
        aria-valuemax={Math.max(100, Math.round(part * 100))}
        aria-valuetext={spent}
        className={styles.meter}
      >
        <rect width="100%" height="100%" rx="4" className={styles.ground} />
        {end !== undefined && end > part && (
          <rect
            width={`${Math.min(100, end * 100)}%`}
            height="100%"
            rx="4"
            className={styles.ahead}
          />
        )}
        <rect
          width={`${Math.min(100, part * 100)}%`}
          height="100%"
          rx="4"
          className={classes(styles.part, styles[budget.state])}
        />
        {budget.soft_limits.map((limit) => (
          <line
            key={limit}
            x1={`${limit}%`}
            x2={`${limit}%`}
            y1="0"
            y2="100%"
            className={styles.limit}
          />
        ))}
      </svg>
      <p className={styles.facts}>
        <span>
          {spent} ({formatPercent(part)})
        </span>
        <span>
          {end !== undefined && text.forecast(formatPercent(end))}
          {end !== undefined && " · "}
          {budget.resets_at === null
            ? text.forGood
            : text.resets(formatStep(budget.resets_at, "day"))}
        </span>
      </p>
    </li>
  );
}

function State({ state }: { state: Budget["state"] }) {
  const { budgets: text } = useText(usageText);
  switch (state) {
    case "ok":
      return (
        <StateBadge tone="ok" icon={<CircleCheck size={14} />}>
          {text.states.ok}
        </StateBadge>
      );
    case "warned":
      return (
        <StateBadge tone="warn" icon={<CircleAlert size={14} />}>
          {text.states.warned}
        </StateBadge>
      );
    case "used_up":
      return (
        <StateBadge tone="bad" icon={<CircleX size={14} />}>
          {text.states.used_up}
        </StateBadge>
      );
  }
}
