import { type CallContext, type Caller, defineTool, type ErrorCode } from "@toolrack/core";
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

it("lists exactly what may be called or asked for, in the library, over HTTP, in the command and in a program (S24)", async () => {
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
      tools: { packs: { utility: false, sessions: false } },
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
  let made = 0;
  /** What a program of the caller reaches, whatever the tool is that runs it. */
  const runIn = async (source: string, caller: Caller): Promise<unknown> => {
    const callId = `program-${++made}`;
    const context = {
      callId,
      caller,
      signal: new AbortController().signal,
      call: (tool: string, input: unknown, given: object = {}) => rack.registry.invoke(tool, input, { ...given, caller }),
    };
    return (await rack.programs.run({ source }, context as unknown as CallContext)).value;
  };
  const program: Surface = {
    name: "program",
    list: async (caller) => (await runIn("return Object.keys(tools);", caller)) as string[],
    async call(tool, caller) {
      const name = JSON.stringify(tool);
      const code = `if (!(${name} in tools)) return "TOOL_NOT_ALLOWED"; try { await tools[${name}]({}); } catch (e) { return e.code; }`;
      const failed = (await runIn(code, caller)) as ErrorCode | null;
      return failed === null ? undefined : askable(failed);
    },
  };
  await fc.assert(
    fc.asyncProperty(policy, fc.subarray([...names]), async (wanted, off) => {
      await rack.settings.setAll(
        { "policy.tools": wanted, ...Object.fromEntries(names.map((name) => [`tools.${name}`, { enabled: !off.includes(name) }])) },
        "test",
      );
      expect(await findSurfaceFaults([library, http, command, program], names, { agent: "ann" })).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

/** Nobody answers here, so a call that waits for a person ends as denied: it was askable. */
function askable(code: ErrorCode): ErrorCode {
  return code === "APPROVAL_DENIED" ? "APPROVAL_REQUIRED" : code;
}
