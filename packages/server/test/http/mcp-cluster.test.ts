import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { defineTool } from "@toolrack/core";
import { mcpClient } from "@toolrack/mcp";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPostgres, type TestPostgres } from "../../../store/test/postgres.ts";
import type { RackConfig } from "../../src/config/config.ts";
import { openRack } from "../../src/rack/open.ts";
import type { Rack } from "../../src/rack/rack.ts";
import { serve, type Served } from "../../src/serve.ts";
import { hasNginx, startNginx } from "../_nginx.ts";
import { later, until } from "../rack/_open.ts";

/** The long form asks for more: `npm run test:long -- cluster`. */
const rounds = Number(process.env["TOOLRACK_ROUNDS"] ?? 5);
const policy: RackConfig["policy"] = { agents: { anna: {}, eve: {} } };

let postgres: TestPostgres | undefined;
beforeAll(async () => {
  if (hasNginx) postgres = await startPostgres();
}, 120_000);
afterAll(async () => postgres?.stop());

interface Cluster {
  readonly url: string;
  readonly servers: readonly (Served & { readonly rack: Rack })[];
  readonly keys: { readonly anna: string; readonly otherOfAnna: string; readonly eve: string };
  /** Which server began, and which cancelled, each held call: by the number that the call was given. */
  readonly began: Map<number, number>;
  readonly cancelled: Map<number, number>;
}

type Engine = "PostgreSQL" | "SQLite";

async function place(engine: Engine): Promise<{ environment: Record<string, string>; config: RackConfig }> {
  if (engine === "SQLite") {
    const folder = mkdtempSync(join(tmpdir(), "toolrack-cluster-"));
    later(() => rmSync(folder, { recursive: true, force: true }));
    return { environment: {}, config: { store: { sqlite: join(folder, "a.db") }, policy } };
  }
  const name = `cluster_${process.pid}_${Math.random().toString(36).slice(2)}`;
  const client = new pg.Client({ connectionString: postgres!.connectionString });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(postgres!.connectionString);
  url.pathname = `/${name}`;
  return { environment: { DATABASE_URL: url.href }, config: { policy } };
}

/** Three servers on one store, behind a balancer that hands each request to the next. */
async function startCluster(engine: Engine, config: RackConfig = {}, count = 3): Promise<Cluster> {
  const { environment, config: stored } = await place(engine);
  const began = new Map<number, number>();
  const cancelled = new Map<number, number>();
  const servers: (Served & { rack: Rack })[] = [];
  for (let index = 0; index < count; index++) {
    const hold = defineTool({
      name: "hold",
      description: "Runs until it is cancelled.",
      inputSchema: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] },
      handler: ({ number }, { signal }) => {
        began.set(number, index);
        return new Promise<string>((_, reject) => {
          signal.addEventListener("abort", () => {
            cancelled.set(number, index);
            reject(signal.reason as Error);
          });
        });
      },
    });
    const ask = defineTool({
      name: "ask",
      description: "Asks for a name.",
      inputSchema: { type: "object" },
      async handler(_input, context) {
        const requestedSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
        const answer = await mcpClient(context)!.elicit({ message: "What is your name?", requestedSchema });
        return answer.action === "accept" ? `${String(answer.content["name"])} on ${index}` : answer.action;
      },
    });
    const level = defineTool({
      name: "level",
      description: "Logs something.",
      inputSchema: { type: "object" },
      handler: (_input, context) => {
        mcpClient(context)!.log("info", `logged on ${index}`);
        return "logged";
      },
    });
    const rack = await openRack({ environment, config: { ...stored, ...config }, tools: [hold, ask, level] });
    const served = await serve(rack, { port: 0, consoleFolder: false });
    later(() => served.close({ graceMs: 0 }));
    servers.push({ ...served, rack });
  }
  const makeKey = async (agent: string): Promise<string> => (await servers[0]!.rack.keys.create({ agent, roles: [], by: "test" })).secret;
  const keys = { anna: await makeKey("anna"), otherOfAnna: await makeKey("anna"), eve: await makeKey("eve") };
  for (const { rack } of servers) await until(async () => (await rack.keys.verify(keys.eve)) !== undefined);
  const nginx = await startNginx(servers.map(({ port }) => `127.0.0.1:${port}`));
  later(() => nginx.stop());
  return { url: nginx.url, servers, keys, began, cancelled };
}

async function connect(cluster: Cluster, era: "legacy" | "modern", onElicit?: () => Record<string, unknown>): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    {
      capabilities: onElicit === undefined ? {} : { elicitation: {} },
      versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" },
    },
  );
  if (onElicit !== undefined) client.setRequestHandler("elicitation/create", async () => onElicit() as { action: "accept" });
  const headers = { authorization: `Bearer ${cluster.keys.anna}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${cluster.url}/mcp`), { requestInit: { headers } }));
  later(() => client.close());
  return client;
}

describe.skipIf(!hasNginx)("MCP clients behind a balancer that hands each request to the next server", () => {
  for (const engine of ["PostgreSQL", "SQLite"] as const) {
    for (const era of ["legacy", "modern"] as const) {
      it(`SC1: every cancel of a ${era} client reaches its call, on ${engine}`, { timeout: 120_000 }, async () => {
        const cluster = await startCluster(engine);
        const client = await connect(cluster, era);
        for (let number = 0; number < rounds; number++) {
          const controller = new AbortController();
          const calling = client.callTool({ name: "hold", arguments: { number } }, { signal: controller.signal });
          const failed = calling.then(
            () => "answered",
            () => "cancelled",
          );
          await until(() => cluster.began.has(number));
          controller.abort();
          await until(() => cluster.cancelled.has(number), `call ${number} was not cancelled`);
          expect(await failed).toBe("cancelled");
        }
        expect([...cluster.cancelled]).toEqual([...cluster.began]);
        for (const { rack } of cluster.servers) await until(async () => (await rack.running.listAll()).length === 0);
      });

      it(`SC2: every question to a ${era} client is answered, on ${engine}`, { timeout: 120_000 }, async () => {
        const cluster = await startCluster(engine, { approvals: { waitMs: 20_000 } });
        let asked = 0;
        const client = await connect(cluster, era, () => ({ action: "accept", content: { name: `Ada ${asked++}` } }));
        const answers: string[] = [];
        for (let number = 0; number < rounds; number++) {
          const result = await client.callTool({ name: "ask", arguments: {} });
          answers.push((result.content as { text: string }[])[0]!.text.replace(/ on \d$/, ""));
        }
        expect(answers).toEqual(Array.from({ length: rounds }, (_, number) => `Ada ${number}`));
      });
    }
  }
});
