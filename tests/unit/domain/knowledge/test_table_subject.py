"""What a question to a table asks about, when it names columns, too."""

import pytest

from domain.knowledge.tables.subject import ColumnNames
from domain.knowledge.text.analyzer import Analyzer
from tests.support.effort import LINEAR, growth

ENGLISH = ("Product", "Unit price", "Stock_count", "unitCost", "City", "supplier town", "A", "2023")
CHINESE = ("产品名称", "价格", "库存数量", "价", "供应商城市", "单价 (USD)")


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("What is the unit price of Golden Apple?", "Golden Apple"),
        ("What is the price of Golden Apple?", "Golden Apple"),
        ("prices of Alpha-2000", "Alpha-2000"),
        ("What's Golden Apple's unit-price?", "Golden Apple"),
        ("Golden Apple: stock count", "Golden Apple"),
        ("Please tell me how much the unit cost of Alpha is", "Alpha"),
        ("unit price and city of Alpha", "Alpha"),
        ("unit price of Unit price tag gun", "Unit price tag gun"),
        ("revenue of Alpha in 2023", "revenue of Alpha"),
        ("New York City", "New York"),
        ("Golden Apple", "Golden Apple"),
        ("unit price?", "unit price?"),
        ("What is the unit price of it?", "What is the unit price of it?"),
        ("a the of", "a the of"),
        ("", ""),
    ],
)
def test_english_questions(question: str, subject: str) -> None:
    assert ColumnNames(ENGLISH, analyzer=Analyzer()).subject_of(question) == subject


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("苹果的价格是多少", "苹果"),
        ("请问苹果的价格", "苹果"),
        ("苹果手机价格多少钱", "苹果手机"),
        ("和平饭店的库存有多少", "和平饭店"),
        ("华为Mate60的价格是多少", "华为Mate60"),
        ("苹果的价是多少", "苹果"),
        ("城市地图的价格", "城市地图"),
        ("价格标签机的价格", "价格标签机"),
        ("价格标签机价格多少", "价格标签机"),
        ("苹果的单价", "苹果"),
        ("评价", "评价"),
        ("价格", "价格"),
    ],
)
def test_chinese_questions(question: str, subject: str) -> None:
    assert ColumnNames(CHINESE, analyzer=Analyzer()).subject_of(question) == subject


def test_a_table_without_names_changes_no_question() -> None:
    assert ColumnNames((), analyzer=Analyzer()).subject_of("price of X") == "price of X"


@pytest.mark.parametrize(
    "filler", ["\u7684", "price ", "\u4ef7\u683c", " ", ".", "a", "is ", "a.b-"]
)
def test_long_questions_take_work_that_grows_with_them(filler: str) -> None:
    names = ColumnNames((*ENGLISH, *CHINESE, "price"), analyzer=Analyzer())

    def ask(length: int) -> None:
        names.subject_of(f"Alpha price{(filler * length)[:length]}\u679c price of it")

    assert growth(ask, small=1000) < LINEAR
