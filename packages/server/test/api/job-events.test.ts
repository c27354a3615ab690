import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { defineTool } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { readEvents } from "@toolrack/testkit/events";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { expect, it } from "vitest";

interface Seen {
  readonly event: string;
  readonly data: Readonly<Record<string, any>>;
}

/** What somebody is told of jobs, from now on. */
async function follow(server: TestServer, { key, query = "" }: { readonly key?: string; readonly query?: string } = {}): Promise<Seen[]> {
  const controller = new AbortController();
  afterThisTest(() => controller.abort());
  const types = ["added", "started", "progress", "retry", "done", "dead", "cancelled", "replayed"].map((type) => `types=job-${type}`);
  const response = await server.request("GET", `/api/v1/events?${types.join("&")}${query}`, {
    signal: controller.signal,
    ...(key !== undefined && { key }),
  });
  const seen: Seen[] = [];
  const ready = new Promise<void>((resolve, reject) => {
    (async () => {
      for await (const event of readEvents(response)) {
        if (event.event === "ready") resolve();
        else seen.push(event as Seen);
      }
    })().catch((error: unknown) => (controller.signal.aborted ? undefined : reject(error as Error)));
  });
  await ready;
  return seen;
}

const names = (seen: readonly Seen[], id: string): readonly string[] =>
  seen.filter(({ data }) => data["id"] === id).map(({ event }) => event);

const work = defineTool({
  name: "work",
  description: "Works, or fails.",
  inputSchema: { type: "object", properties: { fails: { type: "boolean" } } },
  handler: ({ fails = false }, { progress }) => {
    progress({ message: "half" });
    if (fails) throw new Error("never works");
    return "done";
  },
});

it("each change of a job is told to its caller and to whoever sees others, and to nobody else", async () => {
  await using server = await openTestServer({ tools: [work] });
  const keys = await Promise.all(["anna", "bob"].map((agent) => server.rack.keys.create({ agent, roles: [], by: "test" })));
  const [all, annas, bobs] = await Promise.all([
    follow(server),
    follow(server, { key: keys[0]!.secret }),
    follow(server, { key: keys[1]!.secret }),
  ]);
  const caller = { agent: "anna", principal: "key anna", roles: [] };
  const { job: good } = await server.rack.jobs.add({ tool: "work", input: {}, caller });
  const { job: bad } = await server.rack.jobs.add({ tool: "work", input: { fails: true }, caller });
  const { job: later } = await server.rack.jobs.add({ tool: "work", input: {}, caller, at: Date.now() + 3_600_000 });
  for (const { id } of [good, bad]) await server.rack.jobs.waitFor(id, { timeoutMs: 60_000 });
  await server.rack.jobs.cancel(later.id);
  await server.rack.jobs.replay(later.id);
  await server.rack.jobs.waitFor(later.id, { timeoutMs: 60_000 });
  for (const seen of [all, annas]) {
    await until(() => names(seen, later.id).includes("job-done"));
    expect(names(seen, good.id).filter((name) => name !== "job-progress")).toEqual(["job-added", "job-started", "job-done"]);
    expect(names(seen, bad.id).filter((name) => name !== "job-progress")).toEqual(["job-added", "job-started", "job-dead"]);
    expect(names(seen, later.id).filter((name) => name !== "job-progress")).toEqual([
      "job-added",
      "job-cancelled",
      "job-replayed",
      "job-started",
      "job-done",
    ]);
    expect(seen.find(({ event }) => event === "job-dead")!.data).toMatchObject({
      tool: "work",
      agent: "anna",
      error: { code: "TOOL_FAILED" },
    });
  }
  const { job: own } = await server.rack.jobs.add({ tool: "work", input: {}, caller: { agent: "bob", principal: "key bob", roles: [] } });
  await until(() => names(bobs, own.id).includes("job-done"));
  expect(new Set(bobs.map(({ data }) => data["id"]))).toEqual(new Set([own.id]));
});

it("deliveries are cancelled, run and replayed as jobs by admins alone, as they are at their webhook", async () => {
  const receiver = createServer((request, response) => void request.resume().on("end", () => response.writeHead(410).end()));
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => void receiver.close());
  await using server = await openTestServer({ tools: [work], config: { hooks: { allowHosts: ["127.0.0.1"] } } });
  const curator = await server.as("curator", "curator");
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  await server.ask("POST", "/webhooks", { id: "desk", url, on: { schema_name: "news.v1" } });
  const { delivery } = (await server.ask("POST", "/webhooks/desk/test")).body;
  await until(async () => (await curator("GET", `/jobs/${delivery}`)).body.state === "dead");
  for (const action of ["cancel", "run", "replay"])
    expect(await curator("POST", `/jobs/${delivery}/${action}`)).toMatchObject({
      status: 403,
      body: { code: "ROLE_MISSING", detail: expect.stringContaining('"admin"') },
    });
  expect((await curator("GET", `/jobs/${delivery}`)).body).toMatchObject({ state: "dead", attempt: 1 });
  expect((await server.ask("POST", `/jobs/${delivery}/replay`)).status).toBe(200);
});

it("deliveries are told and counted as other jobs are, but not to those who see only their own", async () => {
  let isUp = false;
  const receiver = createServer((request, response) => void request.resume().on("end", () => response.writeHead(isUp ? 204 : 410).end()));
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => void receiver.close());
  await using server = await openTestServer({ tools: [work], config: { hooks: { allowHosts: ["127.0.0.1"] } } });
  const key = await server.rack.keys.create({ agent: "anna", roles: [], by: "test" });
  const [all, ofTool, annas] = await Promise.all([
    follow(server),
    follow(server, { query: "&tool=work" }),
    follow(server, { key: key.secret }),
  ]);
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  await server.ask("POST", "/webhooks", { id: "desk", url, on: { schema_name: "news.v1" } });
  const { delivery } = (await server.ask("POST", "/webhooks/desk/test")).body;
  await until(() => names(all, delivery).includes("job-dead"));
  expect(names(all, delivery)).toEqual(["job-added", "job-started", "job-dead"]);
  const [told] = all;
  expect(told!.data).toMatchObject({ webhook: "desk", origin: "webhook:desk" });
  expect(told!.data).not.toHaveProperty("tool");
  expect(server.rack.jobs.state().isLooking).toBe(false);
  isUp = true;
  await server.ask("POST", "/webhooks/desk/resume");
  expect((await server.ask("POST", `/webhooks/desk/deliveries/${delivery}/replay`)).status).toBe(200);
  await until(() => names(all, delivery).includes("job-done"));
  const metrics = await (await server.request("GET", "/metrics")).text();
  expect(metrics).toContain('toolrack_jobs_total{kind="delivery",outcome="dead"} 1');
  expect(metrics).toContain('toolrack_jobs_total{kind="delivery",outcome="done"} 1');
  expect(metrics).toContain('toolrack_jobs_total{kind="call",outcome="done"} 0');
  const { job } = await server.rack.jobs.add({ tool: "work", input: {}, caller: { agent: "anna", principal: "key anna", roles: [] } });
  for (const seen of [ofTool, annas]) {
    await until(() => names(seen, job.id).includes("job-done"));
    expect(names(seen, delivery)).toEqual([]);
  }
});
