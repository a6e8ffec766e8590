import { ArrowDown, Pencil } from "lucide-react";
import {
  lazy,
  memo,
  type ReactNode,
  type Ref,
  Suspense,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useText } from "../text/catalogue";
import { Button } from "../ui/button/button";
import { IconButton } from "../ui/button/icon-button";
import { ErrorLine } from "../ui/error-state/error-line";
import { Skeleton } from "../ui/skeleton/skeleton";
import { useLate } from "../ui/skeleton/use-late";
import unseen from "../ui/unseen.module.css";
import { Answer, type Audience } from "./answer";
import styles from "./chat.module.css";
import type { Verdict, Why } from "./client";
import { Composer, type SendKeys } from "./composer";
import { dayLine } from "./day";
import { Files } from "./files";
import type { Anchor } from "./long-turns";
import { longTurns, said, usePart } from "./part";
import type { ChatSession } from "./session";
import type { Shortcut } from "./shortcuts";
import { Suggestions } from "./suggestions";
import { chatText } from "./text";
import { type Call, isOver, type Measured, type Turn, textOf } from "./turn";

const EditDialog = lazy(async () => ({ default: (await import("./edit-dialog")).EditDialog }));

type Props = {
  session: ChatSession;
  /** Who talks here. */
  audience: Audience;
  /** What is said before the first question. */
  welcome?: ReactNode;
  suggestions?: readonly string[] | undefined;
  showsSteps: boolean;
  isConsent: (call: Call) => boolean;
  onDetails?: ((runId: string) => void) | undefined;
  /** What runs took and cost, by their ids, where somebody knows it. */
  measures?: ReadonlyMap<string, Measured> | undefined;
  settings?: ReactNode;
  shortcuts?: readonly Shortcut[] | undefined;
  sendKeys?: SendKeys | undefined;
  /** Where questions are written. */
  field?: Ref<HTMLTextAreaElement> | undefined;
};

/** Near enough to the end to go along with what is written. */
const AT_END_PX = 40;

/** A conversation: what was said, and where one asks. */
export function Chat(props: Props) {
  const { session, audience, welcome, suggestions, showsSteps, isConsent } = props;
  const { onDetails, measures, settings, field, shortcuts, sendKeys } = props;
  const text = useText(chatText);
  const state = useSyncExternalStore(session.subscribe, session.snapshot);
  const [edited, setEdited] = useState<Turn>();
  const { frame, anchor, isAtEnd, toEnd, follow, onScroll } = useFollowing(state.turns);
  const hasEarlier = state.earlier !== undefined;
  const isLong = hasEarlier || state.turns.length > SHORT;
  const Long = usePart(longTurns, isLong || state.isLoading);
  const { isLate } = useLate(state.isLoading);
  const last = state.turns.at(-1);
  const isRunning = last !== undefined && !isOver(last);
  const asks = (suggestions ?? []).filter(Boolean);
  // The same from frame to frame: with new ones all turns would be drawn again for each token.
  const offers = useMemo(() => session.offers, [session]);
  const actions = useMemo(
    () => ({
      isConsent,
      onSubmit: (turn: Turn, outputs: readonly { id: string; output: string }[]) =>
        session.submit(turn, outputs),
      onAgain: () => void session.again(),
      onAsk: (question: string) => void session.ask(question),
      onRate: (turn: Turn, verdict: Verdict | undefined, why?: Why) =>
        void session.rate(turn, verdict, why),
      onDetails,
    }),
    [session, isConsent, onDetails],
  );
  useEffect(said.begin, []);
  const view = (turn: Turn) => (
    <TurnView
      key={turn.key}
      turn={turn}
      before={state.turns[state.turns.indexOf(turn) - 1]?.at}
      isLast={turn === last}
      showsSteps={showsSteps}
      isOlder={turn.revision !== undefined && turn.revision !== session.revision}
      measured={measures?.get(turn.runId ?? "")}
      onEdit={offers.edit ? setEdited : undefined}
      audience={audience}
      offers={offers}
      actions={actions}
    />
  );
  const earlier = hasEarlier && (
    <Button size="compact" kind="quiet" onClick={() => void session.showEarlier()}>
      {text.earlier}
    </Button>
  );
  return (
    <div className={styles.chat}>
      <div
        ref={frame}
        onScroll={() => {
          if (onScroll() && hasEarlier) void session.showEarlier();
        }}
        className={styles.scroll}
      >
        <div className={styles.turns}>
          {isLate && <Skeleton width="60%" height={14} />}
          {!state.isLoading && state.turns.length === 0 && (
            <div className={styles.welcome}>
              {typeof welcome === "string" || !welcome ? <p>{welcome || text.empty}</p> : welcome}
              {asks.length > 0 && (
                <Suggestions label={text.suggestions} questions={asks} onAsk={actions.onAsk} />
              )}
            </div>
          )}
          {isLong ? !Long && state.turns.slice(-FIRST).map(view) : state.turns.map(view)}
        </div>
        {isLong && Long && (
          <Long
            turns={state.turns}
            render={view}
            frame={frame}
            anchor={anchor}
            before={earlier}
            onGrow={follow}
          />
        )}
        <div className={styles.after}>
          {state.isAway && <p className={styles.away}>{text.away}</p>}
          {state.failure && state.turns.length === 0 && <ErrorLine failure={state.failure} />}
        </div>
      </div>
      {!isAtEnd && (
        <div className={styles.jump}>
          <Button size="compact" icon={<ArrowDown size={14} />} onClick={toEnd}>
            {text.jump}
          </Button>
        </div>
      )}
      <div className={styles.foot}>
        <Composer
          isRunning={isRunning}
          onSend={(question, files, chosen) => void session.ask(question, files, chosen)}
          onStop={() => void session.stop()}
          onUpload={offers.upload}
          onEditLast={() => offers.edit && last?.question?.messageId && setEdited(last)}
          field={field}
          kept={session.draft}
          shortcuts={shortcuts}
          sendKeys={sendKeys}
        >
          {settings}
        </Composer>
      </div>
      <Announced turn={last} />
      {edited && (
        <Suspense fallback={null}>
          <EditDialog
            turn={edited}
            onClose={() => setEdited(undefined)}
            onSend={(question) => {
              setEdited(undefined);
              void session.edit(edited, question);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

/** The longest answer that is read out whole. */
const READ_CHARS = 2000;

/** Tells those who listen what was answered once it is, and nothing of how it grew. */
function Announced({ turn }: { turn: Turn | undefined }) {
  const wasBusy = useRef(false);
  const isBusy = turn !== undefined && !isOver(turn);
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (wasBusy.current && !isBusy && turn) setSaid(textOf(turn).slice(0, READ_CHARS));
    wasBusy.current = isBusy;
  }, [isBusy, turn]);
  return (
    <div aria-live="polite" className={unseen.unseen}>
      {said}
    </div>
  );
}

type TurnProps = Parameters<typeof Answer>[0] & {
  /** When the turn before began. */
  before: number | undefined;
  onEdit: ((turn: Turn) => void) | undefined;
  /** What somebody noted on the answer. */
  remarks?: ReactNode;
};

/** A question with what came of it. */
export const TurnView = memo(function TurnView({ onEdit, before, remarks, ...rest }: TurnProps) {
  const text = useText(chatText);
  const { question, at } = rest.turn;
  const day = dayLine(at, before ?? 0, Date.now() / 1000, text);
  return (
    <section className={styles.turn} data-turn={rest.turn.key}>
      {day && <p className={styles.day}>{day}</p>}
      {question && (
        <div className={styles.asked}>
          {onEdit && question.messageId && isOver(rest.turn) && (
            <span className={styles.edit}>
              <IconButton
                size="compact"
                label={text.edit}
                icon={<Pencil size={14} />}
                onClick={() => onEdit(rest.turn)}
              />
            </span>
          )}
          <article aria-label={text.you} className={styles.question}>
            {question.text}
            <Files files={question.files} />
          </article>
        </div>
      )}
      <Answer {...rest} />
      {remarks}
    </section>
  );
});

/** How many turns stand there as they are; of more, or where there may be, only those in sight. */
const SHORT = 60;
/** How many of them stand there until the list for many is. */
const FIRST = 8;

/** Near enough to the beginning to want what was said before. */
const NEAR_START_PX = 400;

/** Keeps the newest in sight for whoever is at the end, and leaves others where they read. */
function useFollowing(turns: readonly Turn[]) {
  const frame = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const follows = useRef(true);
  const anchor = useRef<Anchor>(undefined);
  const first = turns[0]?.key;
  const newest = turns.at(-1)?.key;
  const toEnd = () => {
    const box = frame.current;
    if (box) box.scrollTop = box.scrollHeight;
  };
  const follow = () => {
    if (follows.current) toEnd();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is painted moves the end
  useLayoutEffect(follow, [turns]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what comes before the first moves the rest
  useLayoutEffect(() => {
    const box = frame.current;
    const held = anchor.current;
    const turn = held && box?.querySelector(`[data-turn="${CSS.escape(held.key)}"]`);
    if (box && turn) box.scrollTop += topIn(box, turn) - held.top;
  }, [first]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever asks wants to see the answer
  useEffect(() => {
    follows.current = true;
    toEnd();
  }, [newest]);
  /** Says whether the beginning is near. */
  const onScroll = () => {
    const box = frame.current;
    if (!box) return false;
    const isNear = box.scrollHeight - box.scrollTop - box.clientHeight < AT_END_PX;
    follows.current = isNear;
    anchor.current = isNear ? undefined : seenIn(box);
    setAtEnd(isNear);
    return !isNear && box.scrollTop < NEAR_START_PX;
  };
  return { frame, anchor, isAtEnd, toEnd, follow, onScroll };
}

/** The first turn that can be seen. */
function seenIn(box: HTMLElement): Anchor | undefined {
  for (const turn of box.querySelectorAll<HTMLElement>("[data-turn]")) {
    const top = topIn(box, turn);
    if (top + turn.offsetHeight > 0) return { key: turn.dataset["turn"] ?? "", top };
  }
  return undefined;
}

function topIn(box: Element, turn: Element): number {
  return turn.getBoundingClientRect().top - box.getBoundingClientRect().top;
}
