import { defineTool, type ErrorCode } from "@toolrack/core";
import type { PolicyConfig } from "@toolrack/core/policy";
import { findSurfaceFaults, type Surface } from "@toolrack/core/testing";
import { openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { run } from "./_run.ts";

const names = ["read", "exec", "web_search", "owner_tool"] as const;
const tools = names.map((name) =>
  defineTool({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: "object" },
    ...(name === "owner_tool" && { metadata: { ownerOnly: true } }),
    handler: () => name,
  }),
);

const list = fc.array(fc.constantFrom(...names, "web_*", "*", "group:fs", "nobody"), { maxLength: 3 });
const policy: fc.Arbitrary<PolicyConfig["tools"]> = fc.record({ allow: list, deny: list, ask: list }, { requiredKeys: [] });

it("lists exactly what may be called or asked for, in the library, over HTTP and in the command (S24)", async () => {
  const folder = temporaryFolder();
  const server = await openServer({
    folder,
    port: 0,
    consoleFolder: false,
    tools,
    config: {
      store: { memory: true },
      agents: { ann: {} },
      approvals: { waitMs: 1 },
      tools: { packs: { utility: false, unavailable: false } },
    },
  });
  onTestFinished(() => server.close({ graceMs: 0 }));
  const { rack, url } = server;
  const { secret } = await rack.keys.create({ agent: "ann", roles: [], by: "test" });
  const library: Surface = {
    name: "library",
    list: async (caller) => rack.registry.view(caller).tools.map(({ name }) => name),
    async call(tool, caller) {
      const result = await rack.registry.invoke(tool, {}, { caller });
      return result.ok ? undefined : askable(result.code);
    },
  };
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
  const http: Surface = {
    name: "HTTP",
    async list() {
      const { tools: listed } = (await (await fetch(`${url}/api/v1/tools`, { headers })).json()) as { tools: { name: string }[] };
      return listed.map(({ name }) => name);
    },
    async call(tool) {
      const response = await fetch(`${url}/api/v1/tools/${tool}/call`, { method: "POST", headers, body: "{}" });
      return response.ok ? undefined : askable(((await response.json()) as { code: ErrorCode }).code);
    },
  };
  const options = { folder, environment: { TOOLRACK_URL: url, TOOLRACK_KEY: secret } };
  const command: Surface = {
    name: "command",
    async list() {
      const { tools: listed } = (await run(["list", "--json"], options)).json() as { tools: { name: string }[] };
      return listed.map(({ name }) => name);
    },
    async call(tool) {
      const ended = (await run(["call", tool, "--json"], options)).json() as {
        ok?: boolean;
        code?: ErrorCode;
        error?: { code: ErrorCode };
      };
      return ended.ok === true ? undefined : askable(ended.code ?? ended.error!.code);
    },
  };
  await fc.assert(
    fc.asyncProperty(policy, fc.subarray([...names]), async (wanted, off) => {
      await rack.settings.setAll(
        { "policy.tools": wanted, ...Object.fromEntries(names.map((name) => [`tools.${name}`, { enabled: !off.includes(name) }])) },
        "test",
      );
      expect(await findSurfaceFaults([library, http, command], names, { agent: "ann" })).toEqual([]);
    }),
    { numRuns: 15 },
  );
}, 60_000);

/** Nobody answers here, so a call that waits for a person ends as denied: it was askable. */
function askable(code: ErrorCode): ErrorCode {
  return code === "APPROVAL_DENIED" ? "APPROVAL_REQUIRED" : code;
}
