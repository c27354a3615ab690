import { openTestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";

const well = {
  store: "ok",
  masterKey: "ok",
  migrations: "ok",
  serving: "ok",
  sources: "ok",
  requiredSources: "ok",
  wakeUps: expect.any(String) as string,
};

describe("health and readiness", () => {
  // row: I7
  it("are told to anybody, their details to those who are signed in, and what is wrong to operators", async () => {
    await using server = await openTestServer({ isExposed: true });
    for (const path of ["/health", "/health/live"]) {
      const alive = await server.request("GET", path, { key: "" });
      expect([alive.status, await alive.json()]).toEqual([200, { status: "ok" }]);
    }
    const ready = await server.request("GET", "/ready", { key: "" });
    expect([ready.status, await ready.json()]).toEqual([200, { status: "ready", checks: well }]);
    expect((await server.request("GET", "/api/v1/health", { key: "" })).status).toBe(401);
    const { secret: key } = await server.rack.keys.create({ agent: "ci", roles: [], by: "test" });
    const shown = (await (await server.request("GET", "/api/v1/health", { key })).json()) as object;
    expect(shown).toMatchObject({ status: "ok", ready: true, checks: well, store: "ok", running: 0, programs: "off" });
    expect(shown).not.toHaveProperty("problems");
    const { secret: operator } = await server.rack.keys.create({ agent: "ops", roles: ["subscriber"], by: "test" });
    expect(await (await server.request("GET", "/api/v1/health", { key: operator })).json()).toMatchObject({ problems: [], notes: [] });
  });

  it("differ when the store does not answer: alive, and not ready, without a word about why", async () => {
    await using server = await openTestServer();
    await server.rack.store.close();
    expect((await server.request("GET", "/health", { key: "" })).status).toBe(200);
    const ready = await server.request("GET", "/ready", { key: "" });
    expect(ready.status).toBe(503);
    const body = (await ready.json()) as { status: string; checks: Record<string, string> };
    expect(Object.keys(body)).toEqual(["status", "checks"]);
    expect(body.status).toBe("not-ready");
    expect(body.checks["store"]).not.toBe("ok");
    expect(await (await server.request("GET", "/api/v1/health")).json()).toMatchObject({ ready: false, store: "unavailable" });
  });

  it("differ while the server is shut down: alive, and not ready, from the moment that it begins", async () => {
    await using server = await openTestServer();
    expect((await server.request("GET", "/ready")).status).toBe(200);
    server.app.drain();
    const ready = await server.request("GET", "/ready");
    expect([ready.status, await ready.json()]).toEqual([503, { status: "not-ready", checks: { ...well, serving: "draining" } }]);
    expect((await server.request("GET", "/health")).status).toBe(200);
    const refused = await server.request("GET", "/api/v1/tools");
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: "SERVER_CLOSING" }]);
  });

  it("make one look at the store, however many ask", async () => {
    await using server = await openTestServer({ limits: { requestsPerSecond: 10_000, requests: 10_000, requestsPerCaller: 10_000 } });
    const { readiness } = server.rack;
    const first = await readiness.check();
    await Promise.all(Array.from({ length: 200 }, () => server.request("GET", "/ready")));
    const reports = new Set(await Promise.all(Array.from({ length: 50 }, () => readiness.check())));
    expect(reports.size).toBe(1);
    expect(first.isReady).toBe(true);
  });

  it("tell of a failed source, which makes no server unready", async () => {
    await using server = await openTestServer({ config: { sources: { docs: { url: "http://127.0.0.1:1/mcp" } } } });
    await server.rack.sources.ready();
    const ready = await server.request("GET", "/ready", { key: "" });
    expect([ready.status, await ready.json()]).toEqual([200, { status: "ready", checks: { ...well, sources: "failed" } }]);
    expect(await (await server.request("GET", "/api/v1/health")).json()).toMatchObject({
      status: "degraded",
      ready: true,
      problems: [expect.stringContaining("docs")],
    });
  });
});
