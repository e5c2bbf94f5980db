"""Uses a server with the official SDK and prints what it saw, as one JSON object.

The first word is the address of the server, or `-` for one that the other words start.
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters


async def main():
    where, *command = sys.argv[1:]
    if where == "-":
        where = StdioServerParameters(command=command[0], args=command[1:])
    async with Client(where) as client:
        tools = (await client.list_tools()).tools
        read = await client.call_tool("read_file", {"path": "notes.txt", "limit": 1})
        outside = await client.call_tool("read_file", {"path": "../secret.txt"})
        many = await asyncio.gather(
            *(client.call_tool("read_file", {"path": f"many/{n}.txt"}) for n in range(100))
        )
        print(
            json.dumps(
                {
                    "tools": [tool.name for tool in tools],
                    "parameters": list(next(tool for tool in tools if tool.name == "read_file").input_schema["properties"]),
                    "read": read.content[0].text,
                    "outside": [outside.is_error, outside.content[0].text],
                    "many": sum(not result.is_error for result in many),
                }
            )
        )


asyncio.run(main())
