import { defineTool } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { createApp } from "../../../src/app.ts";
import type { RackConfig } from "../../../src/config/config.ts";
import type { Rack } from "../../../src/rack/rack.ts";
import { openRack } from "../../../src/rack/open.ts";

const alpha = defineTool({ name: "alpha", description: "Does alpha.", inputSchema: { type: "object" }, handler: () => "ran" });

/** As a server is by default: nothing is said about agents that are not listed. */
async function openPlain(config: RackConfig = {}): Promise<Rack> {
  const options = { environment: {}, folder: temporaryFolder(), tools: [alpha] };
  const rack = await openRack({ ...options, config: { store: { memory: true }, ...config } });
  afterThisTest(() => rack.close({ graceMs: 0 }));
  return rack;
}

const names = (rack: Rack, caller: object): string[] => rack.registry.view(caller).tools.map(({ name }) => name);

describe("SD9: agents that the configuration does not list", () => {
  it("SD9: get nothing on a server, with a policy and without one", async () => {
    for (const config of [{}, { policy: {} }, { policy: { tools: { allow: ["*"] } } }] satisfies RackConfig[]) {
      const rack = await openPlain({ ...config, agents: { ann: {} } });
      expect(names(rack, { agent: "stranger" })).toEqual([]);
      expect(names(rack, {})).toEqual([]);
      expect(names(rack, { agent: "ann" })).toContain("alpha");
      expect(names(rack, { owner: true })).toContain("alpha");
      expect(await rack.call("alpha", {}, { caller: { agent: "stranger" } }).result).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    }
  });

  it("SD9: are listed by the file, by the policy, or by a record, and no longer when that is gone", async () => {
    const rack = await openPlain({ policy: { agents: { bob: {} } } });
    expect(names(rack, { agent: "bob" })).toContain("alpha");
    expect(names(rack, { agent: "carl" })).toEqual([]);
    await rack.settings.set("agents.carl", {}, "root");
    expect(names(rack, { agent: "carl" })).toContain("alpha");
    await rack.settings.reset("agents.carl", "root");
    expect(names(rack, { agent: "carl" })).toEqual([]);
    await rack.settings.set("policy.unknownAgents", "allow", "root");
    expect(names(rack, { agent: "carl" })).toContain("alpha");
    await expect(rack.settings.set("policy.unknownAgents", "perhaps", "root")).rejects.toThrow(/unknownAgents/);
  });

  it("SD9: hold no key; an owner needs no listing, and unknownAgents: allow asks for none", async () => {
    const rack = await openPlain({ agents: { support: {} } });
    await expect(rack.keys.create({ agent: "suport", roles: ["admin"], by: "test" })).rejects.toThrow(
      /Did you mean "support"\?.*suport: \{ tools/,
    );
    expect(await rack.keys.list()).toEqual([]);
    await rack.keys.create({ agent: "support", roles: [], by: "test" });
    await rack.keys.create({ agent: "me", roles: ["owner"], by: "test" });
    const open = await openPlain({ policy: { unknownAgents: "allow" } });
    await open.keys.create({ agent: "anybody", roles: [], by: "test" });
  });

  it("SD9: are refused the same way over HTTP and MCP, with the nearest name", async () => {
    const rack = await openPlain({ agents: { support: {} } });
    const { secret } = await rack.keys.create({ agent: "support", roles: [], by: "test" });
    const app = createApp(rack, { checkAnswers: true });
    afterThisTest(() => app.close());
    const ask = async (path: string, body?: unknown): Promise<string> => {
      const headers = {
        authorization: `Bearer ${secret}`,
        accept: "application/json, text/event-stream",
        ...(body !== undefined && { "content-type": "application/json" }),
      };
      const init = { method: body === undefined ? "GET" : "POST", headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
      return (await app.fetch(new Request(`http://localhost${path}`, init), { remoteAddress: "127.0.0.1" })).text();
    };
    const answers = (): Promise<string[]> =>
      Promise.all([
        ask("/api/v1/tools"),
        ask("/api/v1/search?q=alpha"),
        ask("/api/v1/exports/openai"),
        ask("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
      ]);
    for (const answer of await answers()) expect(answer).toContain("alpha");
    // The key stays when the agent is taken off the list; what it opens does not.
    await rack.settings.set("agents.support", null, "root");
    await rack.settings.set("agents.supports", {}, "root");
    for (const answer of await answers()) expect(answer).not.toContain("alpha");
    expect(await ask("/api/v1/tools/alpha/call", { input: {} })).not.toContain("ran");
    expect(rack.registry.explain("alpha", { agent: "support" }).sentences.join(" ")).toContain('Did you mean "supports"?');
  });
});
