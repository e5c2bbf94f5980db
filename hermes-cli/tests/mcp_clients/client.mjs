// Uses a server with the official SDK and prints what it saw, as one JSON object.
//
// The first word is the address of the server, or `-` for one that the other words start.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [where, command, ...args] = process.argv.slice(2);
const transport =
  where === "-"
    ? new StdioClientTransport({ command, args })
    : new StreamableHTTPClientTransport(new URL(where));
const client = new Client({ name: "test", version: "1" });
await client.connect(transport);
const { tools } = await client.listTools();
const read = (args) => client.callTool({ name: "read_file", arguments: args });
const first = await read({ path: "notes.txt", limit: 1 });
const outside = await read({ path: "../secret.txt" });
const numbers = Array.from({ length: 100 }, (_, n) => n);
const many = await Promise.all(
  numbers.map((n) => read({ path: `many/${n}.txt` })),
);
console.log(
  JSON.stringify({
    tools: tools.map((tool) => tool.name),
    parameters: Object.keys(tools.find((tool) => tool.name === "read_file").inputSchema.properties),
    read: first.content[0].text,
    outside: [outside.isError, outside.content[0].text],
    many: many.filter((result) => !result.isError).length,
  }),
);
await client.close();
