"""Simple questions on tables without a model."""

import pytest

from domain.knowledge.tables.column import Column, ColumnType
from domain.knowledge.tables.nl2sql import TableDescription
from domain.knowledge.tables.question import read_question

STAFF = TableDescription(
    name="employees",
    description="",
    columns=(
        Column(id=1, name="name", type=ColumnType.TEXT, is_semantic=True),
        Column(id=2, name="department", type=ColumnType.TEXT),
        Column(id=3, name="salary", type=ColumnType.FLOAT),
        Column(id=4, name="start_date", type=ColumnType.DATE),
    ),
    values=((2, ("Sales", "Research and Development", "O'Hara")),),
)
GOODS = TableDescription(
    name="商品表",
    description="",
    columns=(
        Column(id=1, name="商品", type=ColumnType.TEXT, is_semantic=True),
        Column(id=2, name="类别", type=ColumnType.TEXT),
        Column(id=3, name="价格", type=ColumnType.FLOAT),
        Column(id=4, name="库存", type=ColumnType.NUMBER),
    ),
    values=((2, ("水果", "蔬菜")),),
)
ALL = "SELECT COUNT(*) AS `count` FROM `employees`"
OF_BEST = "FROM `employees` WHERE `salary` = (SELECT MAX(`salary`) FROM `employees`)"


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("How many rows are in the table?", ALL),
        ("How many employees are there?", ALL),
        ("Count of records", ALL),
        ("How many people are there?", ALL),
        ("How many employees are in Sales?", f"{ALL} WHERE `department` IN ('Sales')"),
        (
            "how many are in research and development or sales".replace(" or ", " and "),
            f"{ALL} WHERE `department` IN ('Research and Development', 'Sales')",
        ),
        ("How many are in O'Hara?", f"{ALL} WHERE `department` IN ('O''Hara')"),
        ("How many employees have a salary over 3000.5?", f"{ALL} WHERE `salary` > 3000.5"),
        (
            "How many different departments are there?",
            "SELECT COUNT(DISTINCT `department`) AS `count` FROM `employees`",
        ),
        (
            "What is the average salary in Sales?",
            "SELECT AVG(`salary`) AS `avg_salary` FROM `employees` WHERE `department` IN ('Sales')",
        ),
        ("total salary", "SELECT SUM(`salary`) AS `sum_salary` FROM `employees`"),
        ("What is the maximum salary?", "SELECT MAX(`salary`) AS `max_salary` FROM `employees`"),
        (
            "What is the earliest start date?",
            "SELECT MIN(`start_date`) AS `min_start_date` FROM `employees`",
        ),
        (
            "Who has the highest salary?",
            f"SELECT `name`, `salary` {OF_BEST}",
        ),
        (
            "Which employee in Sales has the lowest salary?",
            "SELECT `name`, `salary` FROM `employees` WHERE `department` IN ('Sales') AND `salary`"
            " = (SELECT MIN(`salary`) FROM `employees` WHERE `department` IN ('Sales'))",
        ),
        (
            "Which department has the highest salary?",
            f"SELECT `name`, `department`, `salary` {OF_BEST}",
        ),
    ],
)
def test_english_questions(question: str, sql: str) -> None:
    assert read_question(question, STAFF) == sql


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("表里一共有多少条记录", "SELECT COUNT(*) AS `count` FROM `商品表`"),
        ("有多少个商品", "SELECT COUNT(*) AS `count` FROM `商品表`"),
        ("水果有多少种", "SELECT COUNT(*) AS `count` FROM `商品表` WHERE `类别` IN ('水果')"),
        ("价格大于10的商品有几个", "SELECT COUNT(*) AS `count` FROM `商品表` WHERE `价格` > 10"),
        (
            "蔬菜的平均价格是多少",
            "SELECT AVG(`价格`) AS `avg_价格` FROM `商品表` WHERE `类别` IN ('蔬菜')",
        ),
        ("库存总和是多少", "SELECT SUM(`库存`) AS `sum_库存` FROM `商品表`"),
        ("最高的价格是多少", "SELECT MAX(`价格`) AS `max_价格` FROM `商品表`"),
        (
            "哪个商品的价格最低",
            "SELECT `商品`, `价格` FROM `商品表` WHERE `价格` = (SELECT MIN(`价格`) FROM `商品表`)",
        ),
    ],
)
def test_chinese_questions(question: str, sql: str) -> None:
    assert read_question(question, GOODS) == sql


@pytest.mark.parametrize(
    "question",
    [
        "",
        "Hello!",
        "What is the salary of Ann?",
        "How many employees are not in Sales?",
        "How many senior employees are there?",
        "How many not in Sales?",
        "Which senior employee has the highest salary?",
        "有多少个进口商品",
        "有多少个女员工",
        "How many employees joined before Christmas?",
        "How many employees are called Ann or Bob?",
        "What is the average salary of employees in Berlin?",
        "What is the highest salary and the lowest start date?",
        "How many salaries are there per department?",
        "How many employees have more than 3 children in Sales?",
        "Who has the highest rank?",
        "苹果的价格是多少",
        "北京的商品平均价格是多少",
        "how many rows " * 50,
    ],
)
def test_what_is_not_understood_has_no_query(question: str) -> None:
    assert read_question(question, STAFF) == ""
    assert read_question(question, GOODS) == ""
