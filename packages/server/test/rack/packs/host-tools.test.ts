import { coreToolCatalog } from "@toolrack/core/policy";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** What each tool that needs a host is told without one. */
const settings: Readonly<Record<string, string>> = {
  browser: "tools.packs.browser to true",
  canvas: "tools.packs.canvas to true",
  message: "tools.packs.messages.channels",
  cron: "tools.packs.automation to true",
  gateway: "tools.packs.automation to true",
  nodes: "tools.packs.automation to true",
  image: "tools.packs.media to true",
  tts: "tools.packs.media to true",
  agents_list: "agents.<id>",
  sessions_list: "agents.<id>",
  sessions_history: "agents.<id>",
  sessions_send: "agents.<id>",
  sessions_spawn: "agents.<id>",
  subagents: "agents.<id>",
};

describe("a tool that needs a host, called where none is configured", () => {
  let server: TestServer;
  beforeAll(async () => void (server = await openTestServer({ config: { tools: { packs: { sessions: true } } } })));
  afterAll(() => server?.[Symbol.asyncDispose]());

  // row: J7
  it.each(Object.entries(settings))("%s says so, and names what to configure: %s", async (tool, setting) => {
    const { status, body } = await server.ask("POST", `/tools/${tool}/call`, { input: {} });
    expect([404, 503]).toContain(status);
    expect(body.detail ?? body.error).toMatch(/\bno host is configured\b/i);
    expect(body.detail ?? body.error).toContain(setting);
  });

  it("is each one of the catalog that has neither the files of the workspace nor a program, and is not always there", () => {
    const others = ["group:fs", "group:runtime", "group:web", "group:memory"];
    const names = coreToolCatalog.flatMap(({ name, groups }) => (groups.some((group) => others.includes(group)) ? [] : [name]));
    expect(Object.keys(settings).sort()).toEqual(names.filter((name) => name !== "session_status").sort());
  });
});
