"""``python -m tests.upstream --port 0``: serve until interrupted, print the port first."""

import argparse
import asyncio
import importlib.util
import sys

from tests.upstream.server import Upstream, serve


async def main(host: str, port: int, *, recording: bool) -> None:
    upstream = Upstream()
    upstream.recording = recording
    server = await serve(upstream, host=host, port=port)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="tests.upstream")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--no-record", action="store_true", help="keep no requests (benchmarks)")
    options = parser.parse_args()
    coroutine = main(options.host, options.port, recording=not options.no_record)
    try:
        if importlib.util.find_spec("uvloop"):
            import uvloop

            uvloop.run(coroutine)
        else:
            asyncio.run(coroutine)
    except KeyboardInterrupt:
        sys.exit(0)
