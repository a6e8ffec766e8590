import { formatNumber } from "../../text/formats";
import type { Text } from "./text.en";

export const text = {
  title: "运行",
  search: "搜索提问和回答",
  columns: {
    name: "智能体或工作流",
    state: "状态",
    started: "开始时间",
    source: "来源",
    firstToken: "首字",
    duration: "耗时",
    steps: "步骤",
    tools: "工具",
    tokens: "Token",
    cost: "点数",
    user: "用户",
  },
  fresh: (count: number) => `${formatNumber(count)} 次新运行`,
  manyFresh: (count: number) => `${formatNumber(count)} 次以上新运行`,
  openAgent: "打开智能体",
  openWorkflow: "打开工作流",
  openConversation: "打开会话",
  onlyThese: "只看它的运行",
  searchOn: "继续往前搜索",
  searched: "目前只搜索了一部分运行。",
  noMatch: "没有符合条件的运行",
  noMatchWhy: "只有保留了内容的运行才能按文字找到。",
  clearFilters: "清除筛选",
  empty: "这段时间没有运行",
  emptyWhy: "每次向智能体提问、每次启动工作流都会在这里留下一次运行，包括它的全部步骤。",
  noRun: "没有运行",
} satisfies Text;
