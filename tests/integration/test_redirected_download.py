"""Signed links lead to the bucket itself, if the deployment says where clients reach it."""

from pathlib import Path

import httpx

from tests.support.process.in_process import ADMIN, running
from tests.support.service.s3 import ACCESS_KEY, SECRET_KEY, running_s3


async def test_a_link_leads_to_the_bucket_and_a_token_to_us(tmp_path: Path) -> None:
    with running_s3() as s3:
        s3.create_bucket("files")
        environ = {
            "COTERIE_OBJECTS__KIND": "s3",
            "COTERIE_OBJECTS__BUCKET": "files",
            "COTERIE_OBJECTS__ENDPOINT": s3.url,
            "COTERIE_OBJECTS__LINKS_ENDPOINT": s3.url,
            "COTERIE_OBJECTS__ACCESS_KEY": ACCESS_KEY,
            "COTERIE_OBJECTS__SECRET_KEY": SECRET_KEY,
        }
        async with running(tmp_path, environ) as deployment:
            file_id = await deployment.upload(ADMIN, b"hello", name="a.txt")
            link = await deployment.call("GET", f"/admin/v1/files/{file_id}/url", token=ADMIN)
            path = httpx.URL(link["url"]).raw_path.decode()
            moved = await deployment.send("GET", path)
            asked = await deployment.send("HEAD", path)
            ours = await deployment.send("GET", f"/v1/files/{file_id}/content", token=ADMIN)
            known = await deployment.send(
                "GET", path, headers=[("if-none-match", ours.headers["etag"])]
            )
            async with httpx.AsyncClient() as client:
                found = await client.get(moved.headers["location"])

    assert (moved.status, moved.body) == (302, b"")
    assert moved.headers["location"].startswith(s3.url)
    assert moved.headers["cache-control"] == "private, no-store"
    assert moved.headers["referrer-policy"] == "no-referrer"
    assert (found.status_code, found.content) == (200, b"hello")
    assert found.headers["content-disposition"].startswith("attachment")
    assert (asked.status, known.status) == (200, 304)
    assert (ours.status, ours.body) == (200, b"hello")
