import { useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useMatch, useNavigate, useParams } from "@tanstack/react-router";
import { Menu as MenuIcon, MessageSquare } from "lucide-react";
import {
  type ComponentType,
  Fragment,
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from "react";
import { currentQuestion, onQuestion } from "../session/keeper";
import { lastWorkspace, railFolded } from "../session/local";
import { may, useSession, type Workspace } from "../session/session";
import { useText } from "../text/catalogue";
import { Banner } from "../ui/banner/banner";
import { IconButton } from "../ui/button/icon-button";
import { NavigationSlot } from "../ui/page/page";
import { findRequest, shortcutsRequest } from "../ui/page/page-request";
import { toast } from "../ui/toast/toasts";
import { LeaveGuard } from "./leave-guard";
import type { Notice } from "./live-queries";
import { type BadgeView, Rail } from "./rail";
import { MODELS, SECTIONS, sectionName } from "./sections";
import styles from "./shell.module.css";
import { useShortcuts } from "./shortcuts";
import { shellText } from "./text";

const QuestionDialog = lazy(() => import("../session/question-dialog"));
const Sheet = lazy(() => import("../ui/dialog/sheet"));
const Chats = lazy(() => import("./chats"));
const CommandMenu = lazy(() => import("./command-menu"));
const ShortcutList = lazy(() => import("./shortcut-list"));
const ON_THE_BAR = new Set(["home", "runs"]);

/** The frame around all screens of somebody who is signed in. */
export function Shell() {
  const text = useText(shellText);
  const session = useSession();
  const workspace = useCurrentWorkspace();
  const [isFolded, setFolded] = useState(railFolded.read);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [hasDrawer, setHasDrawer] = useState(false);
  const question = useSyncExternalStore(onQuestion, currentQuestion);
  const [Badge, setBadge] = useState<BadgeView>();
  const [OutageBanner, setOutageBanner] = useState<ComponentType>();
  const [sought, setSought] = useState<string>();
  const findPage = useMatch({ from: "/shell/find", shouldThrow: false });
  const finding = sought ?? (findPage && (findPage.search.q ?? ""));
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isChoosingChat, setChoosingChat] = useState(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const onNotice = useEffectEvent(({ workspace_id: workspaceId, percent }: Notice) => {
    const name = session.workspaces.find((each) => each.id === workspaceId)?.name ?? "";
    toast(text.budgetReached(name, percent), {
      label: text.showBudgets,
      run: () =>
        void navigate({
          to: "/w/$workspaceId/usage",
          params: { workspaceId },
          search: { tab: "budgets" },
        }),
    });
  });
  useEffect(() => {
    let isHere = true;
    let end: (() => void) | undefined;
    // After what is on the screen: nobody waits for it.
    void import("./live-queries").then(({ keepFresh }) => {
      if (isHere) end = keepFresh(queries, (notice) => onNotice(notice));
    });
    void import("./badge").then(({ Badge: Told }) => isHere && setBadge(() => Told));
    void import("./outage").then((told) => isHere && setOutageBanner(() => told.OutageBanner));
    return () => {
      isHere = false;
      end?.();
    };
  }, [queries]);
  function openDrawer(): void {
    setHasDrawer(true);
    setDrawerOpen(true);
  }
  function find(): void {
    setSought("");
  }
  function fold(): void {
    railFolded.write(!isFolded);
    setFolded(!isFolded);
  }
  useShortcuts({
    workspace,
    onFind: find,
    onHelp: () => setHelpOpen(true),
    onFold: fold,
  });
  useEffect(() => findRequest.on(setSought), []);
  useEffect(() => shortcutsRequest.on(() => setHelpOpen(true)), []);
  const navigation = (
    <span className={styles.menu}>
      <IconButton label={text.menu} icon={<MenuIcon size={16} />} onClick={openDrawer} />
    </span>
  );
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        {text.skip}
      </a>
      <div className={styles.rail}>
        <Rail workspace={workspace} isFolded={isFolded} onFold={fold} onFind={find} badge={Badge} />
      </div>
      <main id="content" tabIndex={-1} className={styles.content}>
        {session.features["is_insecure"] && session.user.is_admin && (
          <Banner tone="warn">{text.insecure}</Banner>
        )}
        <Suspense>{OutageBanner && <OutageBanner />}</Suspense>
        <NavigationSlot value={navigation}>
          <Outlet />
        </NavigationSlot>
      </main>
      <Bar workspace={workspace} onChat={() => setChoosingChat(true)} onMore={openDrawer} />
      <LeaveGuard />
      <Suspense>
        {question && <QuestionDialog key={question} question={question} />}
        {hasDrawer && (
          <Sheet isOpen={isDrawerOpen} onClose={() => setDrawerOpen(false)} title={text.navigation}>
            {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: it closes behind links */}
            <div
              className={styles.drawer}
              onClick={(event) => {
                if (event.target instanceof Element && event.target.closest("a"))
                  setDrawerOpen(false);
              }}
            >
              <Rail
                workspace={workspace}
                isFolded={false}
                onFind={() => {
                  setDrawerOpen(false);
                  find();
                }}
                badge={Badge}
              />
            </div>
          </Sheet>
        )}
        {finding !== undefined && (
          <CommandMenu
            workspace={workspace}
            begin={finding}
            onClose={() => {
              setSought(undefined);
              if (findPage) void navigate({ to: "/", replace: true });
            }}
            onHelp={() => setHelpOpen(true)}
          />
        )}
        {isChoosingChat && workspace && (
          <Chats workspace={workspace} onClose={() => setChoosingChat(false)} />
        )}
        {isHelpOpen && <ShortcutList workspace={workspace} onClose={() => setHelpOpen(false)} />}
      </Suspense>
    </div>
  );
}

type BarProps = { workspace: Workspace | undefined; onChat: () => void; onMore: () => void };

/** The bar at the bottom of a phone. */
function Bar({ workspace, onChat, onMore }: BarProps) {
  const text = useText(shellText);
  const bench = useMatch({ from: "/shell/w/$workspaceId/agents/$agentId", shouldThrow: false });
  const sections = SECTIONS.filter(
    (section) => ON_THE_BAR.has(section.key) && may(workspace, section.permission),
  );
  const chat = may(workspace, "bot.read") && (
    <button
      type="button"
      className={styles.place}
      data-active={bench?.search.tab === "try" ? "" : undefined}
      onClick={onChat}
    >
      <MessageSquare size={20} strokeWidth={1.5} />
      {text.chat}
    </button>
  );
  return (
    <nav aria-label={text.bar} className={styles.bar}>
      {workspace &&
        sections.map((section) => (
          <Fragment key={section.key}>
            <Link
              to={section.to}
              params={{ workspaceId: workspace.id }}
              className={styles.place}
              activeProps={{ "data-active": "" }}
              activeOptions={{ exact: section.isExact ?? false }}
            >
              <section.icon size={20} strokeWidth={1.5} />
              {sectionName(section, text)}
            </Link>
            {section.key === "home" && chat}
          </Fragment>
        ))}
      {!workspace && (
        <Link to={MODELS.to} className={styles.place} activeProps={{ "data-active": "" }}>
          <MODELS.icon size={20} strokeWidth={1.5} />
          {text.models}
        </Link>
      )}
      <button type="button" className={styles.place} onClick={onMore}>
        <MenuIcon size={20} strokeWidth={1.5} />
        {text.moreScreens}
      </button>
    </nav>
  );
}

/** The workspace of the address, or the last one where a screen belongs to all. */
function useCurrentWorkspace(): Workspace | undefined {
  const { workspaces } = useSession();
  const { workspaceId } = useParams({ strict: false });
  const wanted = workspaceId ?? lastWorkspace.read();
  const found = workspaces.find((each) => each.id === wanted);
  useEffect(() => {
    if (workspaceId && found) lastWorkspace.write(workspaceId);
  }, [workspaceId, found]);
  return found ?? (workspaceId ? undefined : workspaces[0]);
}
