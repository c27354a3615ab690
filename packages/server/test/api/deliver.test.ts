import { defineTool } from "@toolrack/core";
import { readEvents } from "@toolrack/testkit/events";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const chart = defineTool({
  name: "chart",
  description: "Draws a chart.",
  inputSchema: { type: "object", properties: { title: { type: "string" } } },
  handler: ({ title = "Sales" }) => [
    { type: "text", text: `The chart of ${title}` },
    { type: "image", data: pixel, mimeType: "image/png" },
  ],
  metadata: { deliver: "user", annotations: { readOnly: true } },
});
const long = defineTool({
  name: "long",
  description: "Returns so many letters.",
  inputSchema: { type: "object", properties: { letters: { type: "integer" } }, required: ["letters"] },
  handler: ({ letters }) => "x".repeat(letters),
  metadata: { deliver: "user", limits: { maxResultBytes: 20_000_000 } },
});

async function open(): Promise<TestServer> {
  const server = await openTestServer();
  server.rack.registry.register(chart);
  server.rack.registry.register(long);
  return server;
}

const call = async (server: TestServer, tool: string, body: object = {}, headers: Record<string, string> = {}): Promise<any> =>
  (await server.request("POST", `/api/v1/tools/${tool}/call`, { body, headers })).json();

/** The events of these types after the calls that `make` makes, until one of the last type. */
async function eventsOf(server: TestServer, types: readonly string[], make: () => Promise<unknown>): Promise<any[]> {
  const controller = new AbortController();
  const query = types.map((type) => `types=${type}`).join("&");
  const response = await server.request("GET", `/api/v1/events?${query}`, { signal: controller.signal });
  const seen: any[] = [];
  for await (const event of readEvents(response)) {
    if (event.event === "ready") await make();
    else seen.push(event);
    if (event.event === types.at(-1)) break;
  }
  controller.abort();
  return seen;
}

describe("a result for the user, over HTTP", () => {
  it("is an event with whom it is for, and a receipt for the caller", async () => {
    await using server = await open();
    let answer: any;
    const [shown] = await eventsOf(server, ["result-for-user"], async () => {
      await call(server, "echo", { input: { text: "hello" } });
      answer = await call(server, "chart", { session: "s1" });
    });
    expect(answer).toEqual({ ok: true, content: "Shown to the user.", meta: expect.objectContaining({ tool: "chart" }) });
    expect(shown).toMatchObject({
      id: expect.any(String),
      event: "result-for-user",
      data: { callId: answer.meta.callId, tool: "chart", for: { agent: "owner", session: "s1" } },
    });
    expect(shown.data.output).toContain("The chart of Sales");
    expect(shown.data.blocks).toContainEqual({ type: "image", data: pixel, mimeType: "image/png" });
  });

  it("comes before the end of its call, and stays in the log of calls", async () => {
    await using server = await open();
    let answer: any;
    const seen = await eventsOf(server, ["result-for-user", "call-end"], async () => (answer = await call(server, "chart")));
    expect(seen.map(({ event, id }) => [event, id !== undefined])).toEqual([
      ["result-for-user", false],
      ["call-end", true],
    ]);
    const stored: any = await (await server.request("GET", `/api/v1/calls/${answer.meta.callId}`)).json();
    expect(stored).toMatchObject({ deliver: "user", output: expect.stringContaining("The chart of Sales") });
  });

  it("is asked for by the call, also of a tool that says nothing", async () => {
    await using server = await open();
    const [shown] = await eventsOf(server, ["result-for-user"], async () => {
      expect(await call(server, "echo", { input: { text: "hello" }, deliver: "user" })).toMatchObject({ content: "Shown to the user." });
    });
    expect(JSON.stringify(shown.data.output)).toContain("hello");
    expect(await call(server, "chart", { deliver: "model" })).toMatchObject({ content: expect.stringContaining("The chart of Sales") });
    expect(await call(server, "chart", { deliver: "none" })).toMatchObject({ content: "Done." });
    expect(await call(server, "chart", { deliver: "me" })).toMatchObject({ code: "REQUEST_INVALID" });
  });

  it("is a receipt under the same idempotency key, and for whoever waits for the call", async () => {
    await using server = await open();
    const first = await call(server, "chart", {}, { "idempotency-key": "k1" });
    expect(await call(server, "chart", {}, { "idempotency-key": "k1" })).toEqual(first);
    const waited: any = await (await server.request("GET", `/api/v1/calls/${first.meta.callId}/wait`)).json();
    expect(waited).toMatchObject({ ok: true, content: "Shown to the user." });
    expect(JSON.stringify(waited)).not.toContain("chart of");
  });

  it("is a receipt as the result of a job", async () => {
    await using server = await open();
    const made = await call(server, "echo", { input: { text: "hello" }, deliver: "user", mode: "job" });
    const path = `/api/v1/jobs/${made.data.job.id}`;
    let job: any;
    await until(async () => {
      job = await (await server.request("GET", path)).json();
      return job.state === "done";
    });
    expect(job.result).toMatchObject({ content: "Shown to the user." });
    expect(JSON.stringify(job.result)).not.toContain("hello");
  });

  it("is whole beyond what the log keeps of other results, and not called shown where it was cut", async () => {
    await using server = await open();
    const [shown] = await eventsOf(server, ["result-for-user"], () => call(server, "long", { input: { letters: 200_000 } }));
    expect(shown.data.output).toHaveLength(200_000);
    const tooLong = await call(server, "long", { input: { letters: 5_000_000 } });
    expect(tooLong).toMatchObject({ ok: true, content: expect.stringContaining("could not be shown to the user") });
  });
});
