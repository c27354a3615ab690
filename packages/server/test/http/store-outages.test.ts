import { defineTool } from "@toolrack/core";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routes } from "../../src/routes.ts";

let database: TestPostgres;
let server: TestServer;

const remember = defineTool({
  name: "remember",
  description: "Reads a record.",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  handler: async () => (await server.rack.store.get("note")) ?? "nothing",
});

// The server behind DATABASE_URL is not ours to stop.
describe.skipIf(process.env["DATABASE_URL"])("a server whose database is away", () => {
  beforeAll(async () => {
    database = await startPostgres();
    const store = {
      postgres: database.connectionString,
      connectTimeoutMs: 2_000,
      statementTimeoutMs: 2_000,
      lockTimeoutMs: 1_000,
      poolSize: 4,
    };
    server = await openTestServer({ config: { store }, tools: [remember] });
    expect((await server.request("POST", "/api/v1/tools/remember/call", { body: { input: {} } })).status).toBe(200);
    await database.faults!.end("SIGINT");
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await database?.stop();
  });

  /** Shows nothing of the database, and says when to ask again. */
  async function expectUnavailable(response: Response): Promise<void> {
    const text = await response.text();
    expect(text).not.toMatch(/127\.0\.0\.1|ECONNREFUSED|postgres|select |insert |INTERNAL|TOOL_FAILED/);
    expect(response.status).toBe(503);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  }

  const readable = routes.filter(({ method, path, streams }) => method === "GET" && !/\{|health|ready/.test(path) && streams !== true);
  it.each(readable.map((route) => [route.atRoot === true ? route.path : `/api/v1${route.path}`]))(
    "OP1: answers GET %s with 503 and Retry-After where it needs the database, never with 500",
    async (path) => {
      const response = await server.request("GET", path);
      if (response.status === 503) await expectUnavailable(response);
      else expect(response.status).toBeLessThan(500);
    },
  );

  it("OP1: answers writes with 503 and Retry-After", async () => {
    const body = { id: "note", schema_name: "note.v1", title: "A note", tags: ["t"], context: {} };
    await expectUnavailable(await server.request("POST", "/api/v1/breadcrumbs", { body }));
    await expectUnavailable(await server.request("PUT", "/api/v1/secrets/KEY", { body: { value: "a secret value" } }));
    await expectUnavailable(await server.request("GET", "/api/v1/breadcrumbs/note"));
  });

  it("OP1: answers a call whose tool needs the database with 503 and Retry-After, and not as a failure of the tool", async () => {
    await expectUnavailable(await server.request("POST", "/api/v1/tools/remember/call", { body: { input: {} } }));
    const result = await server.rack.call("remember", {}, { caller: {} }).result;
    expect(result).toMatchObject({ ok: false, status: 503, retryable: true });
  });

  it("OP1: answers a call with an Idempotency-Key with 503 and Retry-After, and does not make it", async () => {
    const headers = { "idempotency-key": "once" };
    await expectUnavailable(await server.request("POST", "/api/v1/tools/echo/call", { body: { input: { text: "hi" } }, headers }));
  });

  it("OP1: works again when the database is back", async () => {
    await database.faults!.start();
    await until(async () => {
      const { status } = await server.request("GET", "/api/v1/breadcrumbs/note");
      expect([404, 503]).toContain(status);
      return status === 404;
    });
  });
});
