"""Writes its version, and a line of JSON for each document named on the standard input: the tools that FastMCP makes of it, or why it makes none."""

import asyncio
import json
import logging
import sys

import fastmcp
import httpx2
from fastmcp import FastMCP

logging.disable(logging.CRITICAL)


async def tools_of(path):
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    client = httpx2.AsyncClient(base_url="https://api.example.com")
    server = FastMCP.from_openapi(openapi_spec=document, client=client)
    tools = await server.list_tools()
    return [{"name": tool.name, "inputSchema": tool.parameters} for tool in tools]


print(fastmcp.__version__, flush=True)
for line in sys.stdin:
    path = line.rstrip("\n")
    try:
        answer = {"path": path, "tools": asyncio.run(tools_of(path))}
    except Exception as error:  # whatever it is, the document is lost
        answer = {"path": path, "error": str(error)[:200]}
    print(json.dumps(answer), flush=True)
