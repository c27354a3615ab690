// Tools of an MCP server under a policy: the filesystem server from npm, read-only.
import assert from "node:assert/strict";
// #region imports
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createRegistry } from "@toolrack/core";
import { readPolicyConfig } from "@toolrack/core/policy";
import { mcpSource, type McpSourceOptions, readMcpJson, upstreamIdentity, upstreamToolOf } from "@toolrack/mcp";
// #endregion

// #region source
const packageFile = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/package.json");
const program = join(dirname(packageFile), "dist/index.js");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolrack-example-")));
writeFileSync(join(folder, "notes.txt"), "Remember the milk.");

const registry = createRegistry({
  policy: readPolicyConfig({ tools: { allow: ["files__*"], deny: ["files__write_*", "files__edit_*", "files__move_*"] } }),
});
const files = mcpSource({ name: "files", command: "node", args: [program, folder] });
const status = await registry.addSource(files);
console.log(status.state, status.tools.length, "tools, for instance", status.tools[1]);
const read = await registry.invoke("files__read_text_file", { path: join(folder, "notes.txt") });
const write = await registry.invoke("files__write_file", { path: join(folder, "notes.txt"), content: "" });
console.log(read.ok && read.content);
console.log(!write.ok && write.code);
// #endregion
assert.equal(status.state, "ready");
assert.ok(read.ok && !write.ok);

// #region import
const { servers, skipped, secrets } = readMcpJson(
  `{
    "mcpServers": {
      "search": { "url": "https://search.example.com/mcp", "headers": { "Authorization": "Bearer \${input:search-key}" } },
      "github": { "command": "npx", "args": ["-y", "some-github-server"], "env": { "LEVEL": "\${LEVEL:-info}" } },
      "old": { "type": "sse", "url": "https://old.example.com/sse" },
    },
  }`,
  { env: process.env },
);
console.log(servers.map(({ name }) => name).join(", "));
console.log(`${skipped[0]?.name}: ${skipped[0]?.reason}`);
console.log("asks for", secrets.join());
const sources = servers.map((server) => mcpSource({ ...server, secret: (name) => process.env[name.toUpperCase()] }));
// #endregion
assert.equal(sources.length, 2);

// #region approve
const approved = Object.fromEntries(
  registry.list().flatMap((tool) => {
    const origin = upstreamToolOf(tool);
    return origin?.name === "read_text_file" ? [[origin.name, origin.fingerprint]] : [];
  }),
);
const options: McpSourceOptions = { name: "files", command: "node", args: [program, folder], approved };
const strict = createRegistry();
const held = await strict.addSource(mcpSource({ ...options, identity: upstreamIdentity(options) }));
console.log(held.tools.join(), "and", held.problems.length, "left out");
// #endregion
assert.deepEqual([held.error, held.tools], [undefined, ["files__read_text_file"]]);

await Promise.all([registry.close(), strict.close(), ...sources.map((source) => source.close())]);
rmSync(folder, { recursive: true });
