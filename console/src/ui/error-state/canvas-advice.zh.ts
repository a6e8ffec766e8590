import type { Sentences } from "./sentences";

/** What the check of a canvas advises, by the server's own sentences. */
export const canvasAdvice: Sentences = {
  "Export the canvas again; it must be a JSON object with nodes and edges.":
    "请重新导出画布；它必须是包含 nodes 和 edges 的 JSON 对象。",
  "Keep exactly one entry node of type 1 with id 100001.":
    "请只保留一个开始节点（类型 1，ID 100001）。",
  "Keep exactly one exit node of type 2 with id 900001.":
    "请只保留一个结束节点（类型 2，ID 900001）。",
  "Give every node an id of its own, also inside loops and batches.":
    "请为每个节点使用各自的 ID，循环和批处理内部也不例外。",
  "Remove the node or replace it by a supported one.": "请移除此节点，或换成支持的节点。",
  "Remove the edge, or put the missing node back.": "请移除连线，或补回缺少的节点。",
  "Connect the port to the next node.": "请将端口连接到下一个节点。",
  "Connect the node or delete it.": "请连接或删除此节点。",
  "Lead the node to the exit if its work must be finished.": "如果必须完成它，请连接到结束节点。",
  "Use a port that the source node offers.": "请使用源节点提供的端口。",
  "Use a loop node to repeat steps.": "需要重复步骤时，请使用循环节点。",
  "Connect the exit with the entry.": "请将开始节点与结束节点连通。",
  "Move the node into a loop.": "请将此节点移入循环。",
  "Move the inner composite into a sub-workflow to stay portable.":
    "为便于移植，请将内层移到子工作流。",
  "This kind of node cannot run here; replace it.": "此类节点在这里不能运行，请替换。",
  "Connect the start of the iteration with its end.": "请连接迭代的开始与结束。",
  "Keep entry and exit at the top level, and edges within one composite.":
    "开始和结束节点请放在最外层，连线不要跨越复合节点。",
  "Attach nodes that can run by themselves, to a node that calls tools.":
    "请将可独立运行的节点连接到会调用工具的节点。",
  "Let the model write inputs that the node reads when it runs.":
    "请让模型填写节点运行时读取的输入。",
  "Choose the source again; its node is gone.": "来源节点已不存在，请重新选择来源。",
  "Declare the field in the source node's outputs, or choose another one.":
    "请在来源节点的输出中声明此字段，或另选一个。",
  "Connect the source so that it always comes before this node.":
    "请调整连线，让来源总在此节点之前运行。",
  "Read the outputs of the composite instead of its inner nodes.":
    "请读取复合节点的输出，而不是其内部节点。",
  "Merge the branches with an aggregator, or expect an empty value.":
    "请用聚合节点合并分支；否则值可能为空。",
  "Choose a source for the value.": "请为此值选择来源。",
  "Add an input parameter with this name, or correct the text.":
    "请添加同名的输入参数，或修改文本。",
  "Use the parameter in the text, or remove it.": "请在文本中使用此参数，或移除它。",
  "Element 0 of the list is used; walk the list in a loop to use all.":
    "需要全部元素时，请用循环遍历列表。",
  "Enter a value of the declared type.": "请填写与声明类型相符的值。",
  "Assign an application or user variable, or a variable of this loop.":
    "请为应用变量、用户变量或此循环的变量赋值。",
  "Change the declared type or the source.": "请更改声明的类型或来源。",
  "Enter a default of the declared type.": "请填写与声明类型相符的默认值。",
  "Use letters, digits and _, no digit first, and each name once.":
    "请使用字母、数字和下划线，不以数字开头，且不重复。",
  "Convert the value before, or declare the type of the source.":
    "请先转换，或声明与来源一致的类型。",
  "Declare the type that the variable has.": "请声明与变量一致的类型。",
  "Use an operator that fits the type, or change the operand's type.":
    "请更换适合此类型的运算符，或更改操作数的类型。",
  "Fill in the setting.": "请填写此项设置。",
  "Use one of the values that the setting allows.": "请使用此项设置允许的值。",
  "Enter how often the loop runs.": "请填写循环的次数。",
  "Give a list to go through.": "请选择要遍历的列表。",
  "Return a value of an inner node or a loop variable.": "请返回内部节点的值或循环变量。",
  "Add a break node that can be reached.": "请添加一个可以到达的终止节点。",
  "Declare one output: a list of objects.": "请声明一个输出，其类型为对象列表。",
  "Choose a workflow that exists and is published.": "请选择已存在且已发布的工作流。",
  "Choose the sub-workflow again to take over its current parameters.":
    "请重新选择子工作流，以更新参数。",
  "A workflow cannot call itself, not even through others.": "工作流不能直接或间接调用自身。",
  "Choose the sub-workflow, plugin or database again to refresh its fields.":
    "请重新选择子工作流、插件或数据库，以更新字段。",
  "Enter the default output as a JSON object.": "请以 JSON 对象填写默认输出。",
  "Switch retries off, or make sure that repeating does no harm.":
    "请关闭重试，或确认重复执行无害。",
  "Enter the text to put together.": "请填写要拼接的文本。",
  "Enter at least one delimiter.": "请填写至少一个分隔符。",
  "Correct the code; it must compile, define main and import allowed modules only.":
    "请修改代码：它必须能够编译、定义 main，且只导入允许的模块。",
  "Choose the fields of the form again.": "请重新选择表单的字段。",
  "Enter a text of its own for every option.": "请为每个选项填写各不相同的文字。",
  "Enter an http or https address, and JSON as a JSON body.":
    "请填写 http 或 https 地址；JSON 请求体必须是有效的 JSON。",
  "Do without the module, or let the operator choose the sandbox that has it.":
    "请不使用此模块，或请管理员选择提供它的沙箱。",
  "Check the canvas again, or run the node: only that shows wrong syntax now.":
    "请重新检查画布，或运行此节点以发现语法错误。",
  "Write one statement that reads or changes rows, with a condition.":
    "请填写一条读取或修改数据的语句，并带上条件。",
  "Choose something that exists and that you may use.": "请选择存在且你可以使用的内容。",
  "Split the workflow into sub-workflows.": "请拆分为子工作流。",
  "Lower the counts of nested loops and batches.": "请减少嵌套循环和批处理的次数。",
};
