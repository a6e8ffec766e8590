"""Words of questions that say nothing about their subject, as tokens of the analyzer."""

from typing import Final

ENGLISH: Final = frozenset(
    """
    a an the of in on at to for from by with as and or is are was were be been do does did
    has have had what which who whom whose when where why how that this it its there
    """.split()  # noqa: SIM905 - a list of words reads better without quotes
)
CHINESE: Final = frozenset(
    """
    的 了 是 在 和 与 有 吗 呢 吧 啊 么 哪 谁 几 什 何 请 问 多少 什么 哪个 哪些 哪里 哪儿 怎么 怎样
    如何 为何 是什 是谁 么是 谁是 请问 个是 有哪 些是 有什 在哪 的是 是哪 多久 几个
    """.split()  # noqa: SIM905 - a list of words reads better without quotes
)
