"""Drives the server with the official Python SDK: python client.py PATH_OF_FUZZY_EDIT"""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import httpx2
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

PROGRAM = sys.argv[1]
TEXT = "first\nx = 1\n\nsecond\nx = 1\n"
TOKEN = "a-token-for-the-python-client"


def extended(file: Path, failure: dict) -> str:
    """Reads from the next step which line tells the last place apart, and extends the old text to it."""
    telling, place = map(int, re.findall(r"line (\d+) `[^`]*` for line (\d+)", failure["next_step"])[-1])
    lines = file.read_text().split("\n")
    return "\n".join(lines[min(telling, place) - 1 : max(telling, place)])


async def drive(server, mode: str, root: Path, is_structured: bool) -> str:
    file = root / "a.txt"
    file.write_text(TEXT)
    async with Client(server, mode=mode) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert {"edit", "multi_edit", "preview_edit", "locate"} <= set(names), names

        # The SDK itself compares every answer with the tool's output schema, if there is one.
        async def edit(old: str, new: str):
            return await client.call_tool("edit", {"file_path": "a.txt", "old_string": old, "new_string": new})

        done = await edit("first", "1st")
        assert not done.is_error, done
        assert done.content[0].text == "applied a.txt 1", done
        assert (done.structured_content or {}).get("status") == ("applied" if is_structured else None), done

        refused = await edit("x = 1", "x = 2")
        assert refused.is_error and refused.content[0].text.startswith("ambiguous: "), refused
        failure = refused.structured_content
        assert failure["code"] == "ambiguous" and failure["ambiguous_at"] == [[2, 2], [5, 5]], failure

        old = extended(file, failure)
        again = await edit(old, old.replace("x = 1", "x = 2"))
        assert not again.is_error, again
        assert file.read_text() == "1st\nx = 1\n\nsecond\nx = 2\n", file.read_text()
        return f"{len(names)} tools, an edit, an ambiguous one and its next step"


async def over_http(mode: str, root: Path) -> str:
    arguments = [PROGRAM, "mcp", "--structured", "--root", str(root), "--http", "0"]
    environment = {**os.environ, "FUZZY_EDIT_MCP_TOKEN": TOKEN}
    with subprocess.Popen(arguments, env=environment, stderr=subprocess.PIPE, text=True) as server:
        try:
            line = server.stderr.readline()
            address = re.search(r"listening at (\S+)", line).group(1)
            async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}) as http:
                return await drive(streamable_http_client(address, http_client=http), mode, root, True)
        finally:
            server.kill()


async def main() -> None:
    with tempfile.TemporaryDirectory(prefix="fuzzy-edit-client-") as directory:
        root = Path(directory)
        # The handshake of the older protocol, and the newer one without.
        for mode in ("legacy", "2026-07-28", "auto"):
            stdio = StdioServerParameters(command=PROGRAM, args=["mcp", "--root", directory])
            print(f"stdio, {mode}: {await drive(stdio, mode, root, False)}")
            print(f"http, {mode}: {await over_http(mode, root)}")


asyncio.run(main())
