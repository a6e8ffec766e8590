import type { Sentences } from "./sentences";

/** What the examination of a deployment finds, and what to do about it. */
export const examinationSentences: Sentences = {
  "Compare with a backup or an export; restore what is missing.":
    "请与备份或导出对比，恢复缺少的内容。",
  "Rows of the audit log are not chained yet; servers do it in a second.":
    "审计日志的部分行尚未链接，服务器会在一秒内完成。",
  "The chain of the audit log breaks {1}: rows were changed, added or taken away outside of the product.":
    "审计日志的链在 {1} 中断：有行在产品之外被更改、添加或移除。",
  "at its newest row": "最新一行处",
  "at row {1}": "第 {1} 行处",
  "This could not be checked: {1}": "无法检查：{1}",
  "Build the index anew: POST /admin/v1/datasets/{1}/reindex.":
    "请重建索引：POST /admin/v1/datasets/{1}/reindex。",
  "Run `coterie doctor --repair` beside a server.":
    "请在服务器运行时执行 `coterie doctor --repair`。",
  "{1} does not find slices by their words.": "{1} 无法按文字找到切片。",
  "{1} has lost {2} of slices.": "{1} 丢失了切片的 {2:part}。",
  "{1} still has {2} of what is deleted.": "{1} 中仍有已删除内容的 {2:part}。",
  "Bring the objects back from a backup, or delete what names them.":
    "请从备份恢复对象，或删除引用它们的内容。",
  "Objects belong to no row: unfinished uploads and derived files.":
    "有不属于任何行的对象：未完成的上传和派生的文件。",
  "A server or worker with the role `scheduled` removes them.":
    "具有 `scheduled` 角色的服务器或工作进程会清除它们。",
  "Calls of clients are kept beyond their time.": "客户端的调用保留超过了期限。",
  "Calls wait for outputs, and no chat waits with them.":
    "有调用在等待输出，但没有对话在等待它们。",
  "Cancel them; see `limits.run_wall_s`.": "请取消它们；参见 `limits.run_wall_s`。",
  "Cancel them; see the time limit of their workflows.": "请取消它们；参见其工作流的时间限制。",
  "Chats are not over, and nobody works on them.": "有未结束的对话无人处理。",
  "Chats still wait for an answer whose time is over.": "有对话仍在等待已过期的回答。",
  "Chats take longer than a chat may take.": "有对话超过了允许的时间。",
  "Copies of bases are due, and nobody goes on with them.": "有到期的知识库复制无人继续。",
  "Deleted documents still have data.": "已删除的文档仍有数据。",
  "Deliveries were given up after their last attempt.": "有投递在最后一次尝试后被放弃。",
  "Documents are being indexed, and no job is there for them.":
    "有文档正在建立索引，但没有对应的任务。",
  "Documents have another number of slices than they were indexed with.":
    "有文档的切片数量与建立索引时不同。",
  "Documents have slices that a newer version replaced.": "有文档仍有已被新版本替换的切片。",
  "Event logs are kept beyond their time.": "事件日志保留超过了期限。",
  "Events are not published.": "有事件没有发布。",
  "Events of {1} have gaps.": "{1} 的事件有缺失。",
  "Events wait for a consumer since more than an hour.": "有事件等待消费者超过一小时。",
  "How a deployment recovers from faults is not seen in its data.":
    "数据中看不出部署如何从故障中恢复。",
  "Imports of rows are not over and do not move.": "有未结束的行导入没有进展。",
  "Index them again: POST /open_api/knowledge/document/resegment, or upload them again.":
    "请重新建立索引：POST /open_api/knowledge/document/resegment，或重新上传。",
  "Jobs of documents are due, and nobody takes them.": "有到期的文档任务无人处理。",
  "Jobs of documents are not over, and nobody works on them.": "有未结束的文档任务无人处理。",
  "Journals of workflows have gaps or overlaps: more than one process wrote them.":
    "工作流的日志有缺失或重叠：有多个进程写入。",
  "Keep a backup and report it: a defect of the product or a foreign hand did it.":
    "请保留备份并报告：这是产品的缺陷，或由外部改动造成。",
  "Keys of requests are kept beyond their time.": "请求的键保留超过了期限。",
  "Logs of chats do not begin with their first event.": "有对话的日志不是从第一个事件开始。",
  "Previews are due, and nobody makes them.": "有到期的预览无人生成。",
  "Previews are kept beyond their time.": "预览保留超过了期限。",
  "Rebuilds of indexes are due, and nobody goes on with them.": "有到期的索引重建无人继续。",
  "Responses are kept beyond their time.": "回答保留超过了期限。",
  "Restore the newest backup.": "请恢复最新的备份。",
  "Run `coterie doctor --repair` beside a server, or reconcile the base.":
    "请在服务器运行时执行 `coterie doctor --repair`，或核对知识库。",
  "Runs have more than one final answer.": "有运行存在多个最终回答。",
  "Runs of workflows are not over, and nobody works on them.": "有未结束的工作流运行无人处理。",
  "Runs of workflows take longer than they may take.": "有工作流运行超过了允许的时间。",
  "Runs of workflows used more tokens than the ledger has calls for.":
    "有工作流运行使用的 token 多于账目中的调用。",
  "Runs of workflows wait for answers whose time is over.": "有工作流运行在等待已过期的回答。",
  "See `coterie dlq list`; then `coterie dlq retry` or `coterie dlq drop`.":
    "参见 `coterie dlq list`；之后使用 `coterie dlq retry` 或 `coterie dlq drop`。",
  "Start a server or worker whose roles handle them; see `coterie dlq list`.":
    "请启动具有相应角色的服务器或工作进程；参见 `coterie dlq list`。",
  "Start a server or worker with the role `imports`; see `coterie dlq list`.":
    "请启动具有 `imports` 角色的服务器或工作进程；参见 `coterie dlq list`。",
  "Start a worker with the role `ingest`, or more of them.":
    "请启动具有 `ingest` 角色的工作进程，或增加其数量。",
  "Uploads were begun and never ended.": "有上传开始后没有结束。",
  "Watch `/readyz` and the metrics.": "请关注 `/readyz` 和指标。",
  "{1} has keys of requests whose run is not there.": "{1} 中有请求的键，其运行已不存在。",
  "{1} names rows that are not there.": "{1} 引用了不存在的行。",
  "Chats used more tokens than the ledger has calls for.": "有对话使用的 token 多于账目中的调用。",
  "Events of chats are not numbered upwards.": "有对话的事件编号不是递增。",
  "Journals of workflows cannot be read.": "有工作流的日志无法读取。",
  "Logs of chats cannot be read.": "有对话的日志无法读取。",
  "Logs of chats go on after their end, or end otherwise than their run.":
    "有对话的日志在结束之后仍有内容，或与运行的结束状态不同。",
  "Nodes of workflows were carried out twice.": "有工作流的节点执行了两次。",
  "The ledger has calls of chats that their usage leaves out.":
    "账目中有对话的用量没有计入的调用。",
  "What chats streamed is not the answer that is stored.": "有对话流式输出的内容与保存的回答不同。",
  "Code nodes do not run ({1}): {2}": "代码节点无法运行（{1:stop}）：{2}",
  "Correct command under [[mcp_programs]].": "请更正 [[mcp_programs]] 中的 command。",
  "Data is being moved into this database; not all of it has arrived.":
    "正在把数据迁入此数据库，尚未全部到达。",
  "List what they need under folders, and remove jail = false.":
    "请在 folders 中列出它们需要的内容，并去掉 jail = false。",
  "MCP programs are not started: they cannot be confined, {1}.":
    "没有启动 MCP 程序：无法隔离它们，{1}。",
  "MCP programs with jail = false read all that the server may read.":
    "设置了 jail = false 的 MCP 程序可以读取服务器能读取的一切。",
  "Make a backup, then run `coterie migrate`.": "请先备份，再执行 `coterie migrate`。",
  "Make room before writes fail.": "请在写入失败之前腾出空间。",
  "Repeat `coterie migrate-data` or `coterie restore` until it ends.":
    "请重复执行 `coterie migrate-data` 或 `coterie restore`，直到完成。",
  "Run `coterie serve` once.": "请执行一次 `coterie serve`。",
  "See docs/code-sandbox.md, or set code.kind to off.":
    "参见 docs/code-sandbox.md，或把 code.kind 设为 off。",
  "The command of an MCP program is no program.": "有一个 MCP 程序的命令不是程序。",
  "The database has schema {1} of a newer release.": "数据库的结构 {1} 属于更新的版本。",
  "The database has schema {1}, this release {2}.": "数据库的结构是 {1}，此版本是 {2}。",
  "The database is empty.": "数据库为空。",
  "The master key does not open {1} of {2} credentials.": "{2} 个凭据中有 {1} 个无法用主密钥打开。",
  "Use a kernel with Landlock, or set jail = false for those you trust.":
    "请使用带有 Landlock 的内核，或为可信的程序设置 jail = false。",
  "Use that release, or restore a backup of this one.": "请使用该版本，或恢复此版本的备份。",
  "Use the key they were stored under, or set these credentials anew.":
    "请使用保存它们时的密钥，或重新设置这些凭据。",
  "{1} of the disk of {2} is free.": "{2} 所在的磁盘剩余 {1}。",
};
