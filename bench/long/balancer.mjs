import { setTimeout as sleep } from "node:timers/promises";

export const title = "MCP clients of both eras behind an nginx that hands each request to the next of three servers";

/** Half of `seconds` for each era: cancels that did not arrive and questions without an answer must be none. */
export async function run({ seconds }) {
  const [{ bundleServers }, { Client, StreamableHTTPClientTransport }] = await Promise.all([
    import("../lib/bundle.mjs"),
    import("@modelcontextprotocol/client"),
  ]);
  const modules = await bundleServers("balancer");
  const names = ["core", "mcp", "server", "postgres", "nginx", "until"];
  const [core, mcp, server, { startOwnPostgres }, { startNginx }, { until }] = await Promise.all(
    names.map((name) => import(modules[name])),
  );
  const postgres = await startOwnPostgres({ fsync: true });
  const seen = { began: new Set(), cancelled: new Set() };
  const servers = [];
  let nginx;
  try {
    for (let index = 0; index < 3; index++) {
      const rack = await server.openRack({
        environment: { DATABASE_URL: postgres.connectionString },
        config: { policy: { agents: { bench: {} } }, approvals: { waitMs: 20_000 } },
        tools: toolsFor(core, mcp, seen),
      });
      servers.push({ ...(await server.serve(rack, { port: 0, consoleFolder: false })), rack });
    }
    const { secret } = await servers[0].rack.keys.create({ agent: "bench", roles: [], by: "bench" });
    await sleep(1_000);
    nginx = await startNginx(servers.map(({ url }) => new URL(url).host));
    const rows = [];
    for (const era of ["legacy", "modern"]) {
      const client = new Client(
        { name: "bench", version: "1.0.0" },
        { capabilities: { elicitation: {} }, versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" } },
      );
      client.setRequestHandler("elicitation/create", async () => ({ action: "accept", content: { name: "Ada" } }));
      const requestInit = { headers: { authorization: `Bearer ${secret}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", nginx.url), { requestInit }));
      rows.push(await measure({ client, until }, era, seen, Date.now() + (seconds * 1_000) / 2));
      await client.close();
    }
    return [{ caption: "Each era", columns, rows }];
  } finally {
    await nginx?.stop();
    for (const served of servers) await served.close({ graceMs: 0 });
    await postgres.stop();
  }
}

const columns = ["era", "cancels", "lost", "slowest", "questions", "unanswered", "slowest", "verdict"];

async function measure({ client, until }, era, seen, endsAt) {
  const happens = (isSo) =>
    until(isSo).then(
      () => true,
      () => false,
    );
  const cancels = { count: 0, lost: 0, slowestMs: 0 };
  const questions = { count: 0, lost: 0, slowestMs: 0 };
  while (Date.now() < endsAt) {
    const name = `${era} ${cancels.count}`;
    const controller = new AbortController();
    const calling = client.callTool({ name: "hold", arguments: { name } }, { signal: controller.signal }).catch(() => undefined);
    await happens(() => seen.began.has(name));
    controller.abort();
    await count(cancels, () => happens(() => seen.cancelled.has(name)));
    await calling;
    await count(questions, async () => {
      const result = await client.callTool({ name: "ask", arguments: {} }).catch(() => undefined);
      return result?.content?.[0]?.text === "Ada";
    });
  }
  const cells = [cancels, questions].flatMap((one) => [String(one.count), String(one.lost), `${one.slowestMs.toFixed(0)} ms`]);
  return [era, ...cells, cancels.lost + questions.lost === 0 ? "ok" : "over"];
}

async function count(counts, attempt) {
  const startedAt = performance.now();
  counts.count += 1;
  if (!(await attempt())) counts.lost += 1;
  counts.slowestMs = Math.max(counts.slowestMs, performance.now() - startedAt);
}

function toolsFor({ defineTool }, { mcpClient }, { began, cancelled }) {
  const requestedSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  return [
    defineTool({
      name: "hold",
      description: "Runs until it is cancelled.",
      inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      handler: ({ name }, { signal }) =>
        new Promise((_, reject) => {
          began.add(name);
          signal.addEventListener("abort", () => {
            cancelled.add(name);
            reject(signal.reason);
          });
        }),
    }),
    defineTool({
      name: "ask",
      description: "Asks for a name.",
      inputSchema: { type: "object" },
      async handler(_input, context) {
        const answer = await mcpClient(context).elicit({ message: "What is your name?", requestedSchema });
        return answer.action === "accept" ? answer.content.name : answer.action;
      },
    }),
  ];
}
