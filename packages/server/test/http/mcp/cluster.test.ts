import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { hasNginx, startNginx } from "@toolrack/testkit/nginx";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { perStore } from "@toolrack/testkit/sized";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, startCluster } from "../_cluster.ts";

/** TOOLRACK_ROUNDS asks for more. */
const rounds = Number(process.env["TOOLRACK_ROUNDS"] ?? 5);

let postgres: TestPostgres | undefined;
beforeAll(async () => {
  if (hasNginx) postgres = await startPostgres();
});
afterAll(async () => postgres?.stop());

const place = (engine: "PostgreSQL" | "SQLite"): string => (engine === "SQLite" ? engine : postgres!.connectionString);

/** Behind a balancer that hands each request to the next server. */
async function balance({ servers }: Cluster): Promise<string> {
  const nginx = await startNginx(servers.map(({ port }) => `127.0.0.1:${port}`));
  afterThisTest(() => nginx.stop());
  return nginx.url;
}

type Era = "legacy" | "modern";

async function connect(url: string, key: string, era: Era, onElicit?: () => Record<string, unknown>): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    {
      capabilities: onElicit === undefined ? {} : { elicitation: {} },
      versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" },
    },
  );
  if (onElicit !== undefined) client.setRequestHandler("elicitation/create", async () => onElicit() as { action: "accept" });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  afterThisTest(() => client.close());
  return client;
}

describe.skipIf(!hasNginx)("MCP clients behind a balancer that hands each request to the next server", () => {
  for (const engine of ["PostgreSQL", "SQLite"] as const) {
    for (const era of perStore<Era>(["legacy", "modern"], engine)) {
      it(`SC1: every cancel of a ${era} client reaches its call, on ${engine}`, async () => {
        const cluster = await startCluster(place(engine));
        const client = await connect(await balance(cluster), cluster.keys.anna, era);
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
    }

    for (const era of perStore<Era>(["modern", "legacy"], engine)) {
      it(`SC2: every question to a ${era} client is answered, on ${engine}`, async () => {
        const cluster = await startCluster(place(engine), { approvals: { waitMs: 20_000 } });
        let asked = 0;
        const client = await connect(await balance(cluster), cluster.keys.anna, era, () => ({
          action: "accept",
          content: { name: `Ada ${asked++}` },
        }));
        const answers: string[] = [];
        for (let number = 0; number < rounds; number++) {
          const result = await client.callTool({ name: "ask", arguments: {} });
          answers.push((result.content as { text: string }[])[0]!.text.replace(/ on \d$/, ""));
        }
        expect(answers).toEqual(Array.from({ length: rounds }, (_, number) => `Ada ${number}`));
      });
    }
  }

  it("SC9: a client whose connection ended gets its result from the server that has it", async () => {
    const cluster = await startCluster("SQLite");
    const client = await connect(await balance(cluster), cluster.keys.anna, "legacy");
    for (let round = 0; round < rounds; round++) {
      const result = await client.callTool({ name: "leave", arguments: {} });
      expect(JSON.stringify(result.content)).toMatch(/answered by \d/);
    }
  });

  it("SC6: a session goes on after the server that began it has ended", async () => {
    const cluster = await startCluster(place("PostgreSQL"));
    const client = await connect(await balance(cluster), cluster.keys.anna, "legacy", () => ({
      action: "accept",
      content: { name: "Ada" },
    }));
    await client.setLoggingLevel("info");
    const logged: unknown[] = [];
    client.setNotificationHandler("notifications/message", ({ params }) => void logged.push(params.data));
    await cluster.servers[0]!.close({ graceMs: 0 });
    for (let round = 0; round < rounds; round++) {
      const asked = await client.callTool({ name: "ask", arguments: {} });
      expect(JSON.stringify(asked.content)).toMatch(/Ada on [12]/);
      await client.callTool({ name: "level", arguments: {} });
    }
    expect(logged).toHaveLength(rounds);
  });
});
