"""Words of simple questions on tables, English and Chinese."""

import re
from typing import Final

COUNTING: Final = (
    r"\bhow many\b|\bnumber of\b|\bcount(?: of)?\b"
    r"|(?:一共|总共|共)?有?多少(?:个|条|行|位|名|家|种|件|本|只|辆|座|笔)|(?:一共|总共|共)有?多少"
    r"|有多少|几(?:个|条|行|位|名|家|种|件|本|只|辆|座|笔)|(?:总)?数量|总数|个数|计数"
)
DISTINCT: Final = r"\bdifferent\b|\bdistinct\b|\bunique\b|不同的?|去重"
_HIGHEST: Final = (
    r"\bhighest\b|\blargest\b|\bmaximum\b|\bmax\b|\bbiggest\b|\bgreatest\b|\bmost\b|\blatest\b"
    r"|最(?:高|大|多|晚|贵|长)的?"
)
_LOWEST: Final = (
    r"\blowest\b|\bsmallest\b|\bminimum\b|\bmin\b|\bleast\b|\bfewest\b|\bearliest\b"
    r"|最(?:低|小|少|早|便宜|短)的?"
)
KINDS_OF_ANSWER: Final = (
    ("avg", r"\baverage\b|\bmean\b|\bavg\b|平均(?:值|数)?"),
    ("max", _HIGHEST),
    ("min", _LOWEST),
    ("sum", r"\btotal\b|\bsum(?: of)?\b|\baltogether\b|总和|合计|总计|总共|之和|求和|总(?!是)"),
)
"""What is asked for, by its function in SQL."""
WHICH: Final = r"\bwho\b|\bwhich\b|\bwhose\b|谁|哪(?:一)?(?:个|位|些|家|种|件|本|座|里)|什么"
COMPARISONS: Final = (
    (">=", r"at least|no less than|大于等于|不少于|不低于|不小于|至少|>="),
    ("<=", r"at most|no more than|小于等于|不超过|不多于|不高于|不大于|至多|<="),
    (">", r"(?:more|greater|higher|larger|bigger) than|over|above|大于|超过|高于|多于|>"),
    ("<", r"(?:less|lower|smaller|fewer) than|under|below|小于|低于|少于|不到|<"),
)
NOISE: Final = frozenset(
    {
        *("a", "all", "and", "any", "are", "as", "at", "be", "by", "column", "columns", "data"),
        *("dataset", "database", "do", "does", "entries", "entry", "file", "for", "from", "give"),
        *("has", "have", "i", "in", "is", "it", "item", "items", "line", "lines", "list", "me"),
        *("of", "on", "our", "please", "record", "records", "row", "rows", "s", "show", "table"),
        *("tell", "that", "the", "there", "these", "this", "those", "to", "value", "values"),
        *("was", "we", "were", "what", "whole", "with", "your"),
    }
)
"""Words that change no answer."""
NEGATIONS: Final = frozenset({"not", "no", "non", "without", "other", "more", "less", "fewer"})
NOISE_CJK: Final = re.compile(
    "请问|告诉我|多少|这个|这些|这张|表格|数据库|知识库|数据|记录|文件|里面|其中|一共|总共|全部|所有"
    "|[表的是有了在里中吗呢请问行条个列值和为么共]"
)
ROWS_CJK: Final = re.compile(
    "国家或地区|国家|地区|城市|公司|产品|商品|货物|员工|人员|客户|用户|订单|学生|项目|条目|事物|人"
)
"""What rows may be called in a question that counts or picks them."""
