"""Code nodes as users write them, with their parameters; the same answer is due everywhere."""

from typing import Any, Final

SNIPPETS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "template of the editor": (
        """
# You can use args to get the inputs of the node and must return an object.
async def main(args: Args) -> Output:
    params = args.params
    ret: Output = {
        "key0": params['input'] + params['input'],
        "key1": ["hello", "world"],
        "key2": {
            "key21": "hi"
        },
    }
    return ret
""",
        {"input": "ab"},
    ),
    "attribute access": (
        "async def main(args):\n    return {'city': args.params.user.address.city}",
        {"user": {"address": {"city": "München"}}},
    ),
    "missing key with default": (
        "def main(args):\n    return {'n': args.params.get('n', 3) + 1}",
        {},
    ),
    "split into list": (
        "def main(args):\n    return {'items': [s.strip() for s in args.params.text.split(',')]}",
        {"text": "a, b ,c"},
    ),
    "join list": (
        "def main(args):\n    return {'text': '\\n'.join(args.params.items_)}",
        {"items_": ["x", "y"]},
    ),
    "merge": (
        "def main(args):\n    p = args.params\n    return {**p.a, **p['b'], 'c': len(p.a)}",
        {"a": {"x": 1}, "b": {"y": 2}},
    ),
    "regular expression": (
        "import re\ndef main(args):\n"
        "    return {'mails': re.findall(r'[\\w.]+@[\\w.]+', args.params.text)}",
        {"text": "to a@b.de and c.d@e.org."},
    ),
    "parse a model's json": (
        "import json, re\ndef main(args):\n"
        "    found = re.search(r'```json\\s*(.*?)```', args.params.text, re.S)\n"
        "    return json.loads(found.group(1))",
        {"text": 'Here:\n```json\n{"a": [1, 2.5, null, true]}\n```'},
    ),
    "dump json": (
        "import json\ndef main(args):\n"
        "    return {'s': json.dumps(args.params, ensure_ascii=False, sort_keys=True)}",
        {"b": "ü", "a": [1]},
    ),
    "date arithmetic": (
        "from datetime import datetime, timedelta\ndef main(args):\n"
        "    day = datetime.strptime(args.params.day, '%Y-%m-%d') + timedelta(days=30)\n"
        "    return {'day': day.strftime('%d.%m.%Y'), 'weekday': day.weekday()}",
        {"day": "2024-02-15"},
    ),
    "time zone": (
        "from datetime import datetime\nfrom zoneinfo import ZoneInfo\ndef main(args):\n"
        "    at = datetime(2024, 7, 1, 12, tzinfo=ZoneInfo('Asia/Shanghai'))\n"
        "    return {'at': at.astimezone(ZoneInfo('Europe/Berlin')).isoformat()}",
        {},
    ),
    "timestamp": (
        "import datetime\ndef main(args):\n"
        "    at = datetime.datetime.fromtimestamp(args.params.ts, datetime.timezone.utc)\n"
        "    return {'at': at.isoformat()}",
        {"ts": 1_700_000_000},
    ),
    "random choice": (
        "import random\ndef main(args):\n"
        "    return {'a': random.randint(1, 10**6), 'b': random.sample(range(100), 3)}",
        {},
    ),
    "statistics": (
        "import statistics as st\ndef main(args):\n"
        "    v = args.params['values']\n"
        "    return {'mean': st.mean(v), 'median': st.median(v), 'dev': round(st.stdev(v), 6)}",
        {"values": [1, 2, 3, 4, 10]},
    ),
    "decimal money": (
        "from decimal import Decimal, ROUND_HALF_UP\ndef main(args):\n"
        "    total = sum(Decimal(p) for p in args.params.prices)\n"
        "    return {'total': str(total.quantize(Decimal('0.01'), ROUND_HALF_UP))}",
        {"prices": ["1.105", "2.20", "3"]},
    ),
    "hash": (
        "import hashlib, hmac, base64\ndef main(args):\n"
        "    d = hmac.new(b'key', args.params.text.encode(), hashlib.sha256).digest()\n"
        "    return {'sig': base64.b64encode(d).decode(), 'md5': hashlib.md5(b'a').hexdigest()}",
        {"text": "message"},
    ),
    "url": (
        "from urllib.parse import urlencode, urlparse, parse_qs, quote\ndef main(args):\n"
        "    q = parse_qs(urlparse(args.params.url).query)\n"
        "    return {'q': q, 'u': urlencode({'a': 'ä b'}), 'e': quote('x/y z')}",
        {"url": "https://e.org/p?a=1&a=2&b=%C3%A4"},
    ),
    "csv": (
        "import csv, io\ndef main(args):\n"
        "    rows = list(csv.DictReader(io.StringIO(args.params.text)))\n"
        "    return {'rows': rows, 'count': len(rows)}",
        {"text": 'a,b\n1,"x, y"\n2,z\n'},
    ),
    "xml": (
        "import xml.etree.ElementTree as ET\ndef main(args):\n"
        "    root = ET.fromstring(args.params.text)\n"
        "    return {'names': [e.attrib['n'] for e in root.iter('i')], 'tag': root.tag}",
        {"text": "<r><i n='1'/><i n='2'>t</i></r>"},
    ),
    "html": (
        "import html\nfrom html.parser import HTMLParser\n"
        "class P(HTMLParser):\n"
        "    def __init__(self):\n        super().__init__(); self.out = []\n"
        "    def handle_data(self, data):\n        self.out.append(data)\n"
        "def main(args):\n    p = P(); p.feed(args.params.text)\n"
        "    return {'text': ''.join(p.out), 'safe': html.escape('<a>')}",
        {"text": "<p>Hi <b>you</b> &amp; me</p>"},
    ),
    "counter": (
        "from collections import Counter, defaultdict\ndef main(args):\n"
        "    groups = defaultdict(list)\n"
        "    for w in args.params.text.split():\n        groups[len(w)].append(w)\n"
        "    return {'top': Counter(args.params.text.split()).most_common(2), 'groups': groups}",
        {"text": "a b a ccc a b"},
    ),
    "sort objects": (
        "from operator import itemgetter\ndef main(args):\n"
        "    return {'rows': sorted(args.params.rows, key=itemgetter('n'), reverse=True)}",
        {"rows": [{"n": 1, "t": "x"}, {"n": 3, "t": "y"}, {"n": 2, "t": "z"}]},
    ),
    "group": (
        "from itertools import groupby, chain, combinations\ndef main(args):\n"
        "    g = {k: list(v) for k, v in groupby(sorted(args.params.n), key=lambda x: x % 2)}\n"
        "    return {'g': g, 'c': list(combinations([1, 2, 3], 2)), 'f': list(chain([1], [2]))}",
        {"n": [1, 3, 2, 4]},
    ),
    "chunks": (
        "def main(args):\n    t, n = args.params.text, args.params.size\n"
        "    return {'parts': [t[i:i + n] for i in range(0, len(t), n)]}",
        {"text": "abcdefgh", "size": 3},
    ),
    "fibonacci": (
        "from functools import lru_cache\n@lru_cache(None)\ndef fib(n):\n"
        "    return n if n < 2 else fib(n - 1) + fib(n - 2)\n"
        "def main(args):\n    return {'fib': fib(args.params.n)}",
        {"n": 90},
    ),
    "class": (
        "from dataclasses import dataclass, asdict\n@dataclass\nclass Point:\n"
        "    x: int\n    y: int = 2\n"
        "def main(args):\n    return asdict(Point(args.params.x))",
        {"x": 1},
    ),
    "enum": (
        "from enum import Enum, IntEnum\nclass C(str, Enum):\n    RED = 'red'\n"
        "class N(IntEnum):\n    ONE = 1\n"
        "def main(args):\n    return {'c': C.RED, 'n': N.ONE, 'name': C('red').name}",
        {},
    ),
    "gather": (
        "import asyncio\nasync def one(n):\n    await asyncio.sleep(0.5)\n    return n * 2\n"
        "async def main(args):\n"
        "    return {'all': await asyncio.gather(*(one(n) for n in args.params.n))}",
        {"n": [1, 2, 3]},
    ),
    "asyncio run inside": (
        "import asyncio\nasync def work():\n    await asyncio.sleep(0)\n    return 'done'\n"
        "def main(args):\n    return {'r': asyncio.run(work())}",
        {},
    ),
    "timeout inside": (
        "import asyncio\nasync def main(args):\n    try:\n"
        "        await asyncio.wait_for(asyncio.sleep(60), 1)\n"
        "    except asyncio.TimeoutError:\n        return {'late': True}\n"
        "    return {'late': False}",
        {},
    ),
    "generator": (
        "def numbers(n):\n    for i in range(n):\n        yield i * i\n"
        "def main(args):\n    return {'n': list(numbers(args.params.n)), 's': sum(numbers(4))}",
        {"n": 5},
    ),
    "format": (
        "def main(args):\n    p = args.params\n"
        "    return {'s': f'{p.n:,.2f} {p.name!r:>10} {p.n:e} {255:#x}', 't': '%05d' % 42}",
        {"n": 1234567.891, "name": "ö"},
    ),
    "template": (
        "from string import Template\nimport textwrap\ndef main(args):\n"
        "    t = Template('Dear $name').substitute(args.params)\n"
        "    return {'t': t, 'w': textwrap.wrap('aaa bbb ccc', 7)}",
        {"name": "Ada"},
    ),
    "unicode": (
        "import unicodedata\ndef main(args):\n"
        "    t = unicodedata.normalize('NFKC', args.params.t)\n"
        "    return {'t': t, 'n': len(t), 'b': list(t.encode('utf-8')), 'r': t[::-1]}",
        {"t": "ﬁ é 你好 🎉"},
    ),
    "math": (
        "import math, cmath, fractions\ndef main(args):\n"
        "    return {'a': math.sqrt(2), 'b': math.comb(10, 3), 'c': math.gcd(12, 18),\n"
        "            'd': abs(cmath.exp(1j)), 'e': str(fractions.Fraction(1, 3) + 1)}",
        {},
    ),
    "heap and bisect": (
        "import heapq, bisect\ndef main(args):\n    n = args.params.n\n"
        "    return {'min': heapq.nsmallest(2, n), 'at': bisect.bisect([1, 3, 5], 4)}",
        {"n": [5, 1, 4]},
    ),
    "compress": (
        "import zlib, gzip, base64\ndef main(args):\n"
        "    raw = args.params.text.encode() * 50\n"
        "    return {'same': gzip.decompress(gzip.compress(raw)) == raw,\n"
        "            'back': zlib.decompress(zlib.compress(raw))[:5].decode()}",
        {"text": "hello"},
    ),
    "exception handled": (
        "def main(args):\n    try:\n        return {'n': int(args.params.text)}\n"
        "    except ValueError as e:\n        return {'error': type(e).__name__}",
        {"text": "abc"},
    ),
    "table to markdown": (
        "def main(args):\n    rows = args.params.rows\n    head = list(rows[0])\n"
        "    lines = ['| ' + ' | '.join(head) + ' |', '|' + '---|' * len(head)]\n"
        "    lines += ['| ' + ' | '.join(str(r[h]) for h in head) + ' |' for r in rows]\n"
        "    return {'table': '\\n'.join(lines)}",
        {"rows": [{"a": 1, "b": "x"}, {"a": 2.5, "b": None}]},
    ),
    "match": (
        "def main(args):\n    match args.params.event:\n"
        "        case {'type': 'text', 'body': str(body)}:\n"
        "            return {'r': body.upper()}\n"
        "        case _:\n            return {'r': None}",
        {"event": {"type": "text", "body": "hi"}},
    ),
    "global state": (
        "COUNT = 0\ndef bump():\n    global COUNT\n    COUNT += 1\n    return COUNT\n"
        "def main(args):\n    return {'n': [bump() for _ in range(3)], 'name': __name__}",
        {},
    ),
    "printing": (
        "def main(args):\n    print('debug', args.params, sep=': ')\n    return {'ok': True}",
        {"x": 1},
    ),
}
