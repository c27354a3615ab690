import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readEvents } from "@toolrack/testkit/events";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";

const base = { store: { memory: true }, agents: { root: {}, curious: {} }, policy: { tools: { deny: ["random"] } } };

describe("changes of the configuration file over HTTP", () => {
  it("SD1: are shown to and approved by admins alone, each file by its digest", async () => {
    const folder = temporaryFolder();
    const write = (config: object): void => writeFileSync(join(folder, "toolrack.config.yaml"), `${JSON.stringify(config)}\n`);
    write(base);
    const { rack, as, request } = serverOver(await openTestRack({ folder, config: "toolrack.config.yaml" }));
    const [admin, owner, curator] = [await as("root", "admin"), await as("boss", "owner"), await as("curious", "curator", "subscriber")];
    expect(await admin("GET", "/config/pending")).toEqual({ status: 200, body: { restart: [] } });
    expect(await admin("POST", "/config/approve", { digest: "x" })).toMatchObject({ status: 409 });

    write({ ...base, sources: { docs: { url: "https://docs.example.com/mcp", headers: { Authorization: "s3cret-value" } } } });
    await rack.settings.reload();
    expect(await curator("GET", "/config/pending")).toMatchObject({ status: 403 });
    const shown = await owner("GET", "/config/pending");
    expect(shown.body.pending.waiting).toEqual([
      { part: "sources.docs", key: "sources.docs.url", after: "https://docs.example.com/mcp" },
      { part: "sources.docs", key: "sources.docs.headers.Authorization", after: "(not shown)" },
    ]);
    const { digest } = shown.body.pending;
    expect(await curator("POST", "/config/approve", { digest })).toMatchObject({ status: 403 });
    expect(await admin("POST", "/config/approve", { digest: "0".repeat(64) })).toMatchObject({
      status: 409,
      body: { code: "STATE_INVALID" },
    });
    expect((await admin("GET", "/sources")).body.sources.map(({ id }: { id: string }) => id)).not.toContain("docs");
    expect(await admin("POST", "/config/approve", { digest })).toMatchObject({ status: 200, body: { approved: { digest } } });
    expect(await admin("GET", "/config/pending")).toEqual({ status: 200, body: { restart: [] } });
    expect((await admin("GET", "/sources")).body.sources.map(({ id }: { id: string }) => id)).toContain("docs");
    const audit = await admin("GET", "/audit");
    expect(JSON.stringify(audit.body)).toContain("config-approved");
    expect(JSON.stringify(audit.body)).not.toContain("s3cret-value");
    expect((await request("GET", "/api/v1/config/pending", { headers: { authorization: "" } })).status).toBeGreaterThanOrEqual(400);
  });

  it("are shown also where all they need is a restart", async () => {
    const folder = temporaryFolder();
    const write = (config: object): void => writeFileSync(join(folder, "toolrack.config.yaml"), `${JSON.stringify(config)}\n`);
    write(base);
    const { rack, as } = serverOver(await openTestRack({ folder, config: "toolrack.config.yaml" }));
    const admin = await as("root", "admin");
    write({ ...base, limits: { timeoutMs: 5_000 } });
    await rack.settings.reload();
    expect(await admin("GET", "/config/pending")).toEqual({ status: 200, body: { restart: ["limits"] } });
    write({ ...base, limits: { timeoutMs: 5_000 }, policy: { ...base.policy, unknownAgents: "allow" } });
    await rack.settings.reload();
    const { digest } = (await admin("GET", "/config/pending")).body.pending;
    const approved = await admin("POST", "/config/approve", { digest });
    expect(approved.body).toMatchObject({ approved: { waiting: [{ key: "policy.unknownAgents" }] }, restart: ["limits"] });
    expect(approved.body.pending).toBeUndefined();
  });

  it("SD1: are told to those who follow events", async () => {
    const folder = temporaryFolder();
    const write = (config: object): void => writeFileSync(join(folder, "toolrack.config.yaml"), `${JSON.stringify(config)}\n`);
    write(base);
    const { rack, request } = serverOver(await openTestRack({ folder, config: "toolrack.config.yaml" }));
    const stop = new AbortController();
    const events = readEvents(await request("GET", "/api/v1/events?types=config-changed", { signal: stop.signal }));
    expect((await events.next()).value).toMatchObject({ event: "ready" });
    write({ ...base, policy: { ...base.policy, unknownAgents: "allow" } });
    void rack.settings.reload();
    expect((await events.next()).value).toMatchObject({
      event: "config-changed",
      data: { changed: [], waiting: ["policy.unknownAgents"], digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    stop.abort();
  });
});
