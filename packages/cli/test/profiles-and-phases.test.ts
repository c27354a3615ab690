import { defineTool } from "@toolrack/core";
import { coreToolCatalog } from "@toolrack/core/policy";
import { openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, run as runCommand } from "./_run.ts";

const names = ["git", "github", "read", ...Array.from({ length: 12 }, (_, index) => `tool_${index + 1}`)];
const tools = names.map((name) => defineTool({ name, description: `Does ${name}.`, inputSchema: { type: "object" }, handler: () => name }));

let server: Awaited<ReturnType<typeof openServer>>;
let run: (...words: string[]) => Promise<Ended>;

beforeAll(async () => {
  const folder = temporaryFolder();
  server = await openServer({
    folder,
    port: 0,
    consoleFolder: false,
    tools,
    config: {
      store: { memory: true },
      tools: { packs: { utility: false, sessions: false } },
      agents: { ann: {} },
      policy: {
        phases: { deliver: ["git", "github"] },
        profiles: { shipping: { allow: ["group:ship", "git*"], deny: ["github"] }, leaving: { allow: ["gone"] } },
        groups: { ship: ["tool_1"] },
      },
    },
  });
  run = (...words) => runCommand(words, { folder, environment: { TOOLRACK_URL: server.url } });
});
afterAll(() => server?.close({ graceMs: 0 }));

describe("policy list --profile", () => {
  const listed = ({ output }: Ended): string[] => [...output.matchAll(/^([a-z_0-9]+) /gm)].map(([, name]) => name!);

  // row: E2
  it.each(["minimal", "coding", "messaging"])("prints the tools of the profile %s, as the catalog has them", async (profile) => {
    const expected = coreToolCatalog.filter(({ profiles }) => profiles.includes(profile)).map(({ name }) => name);
    const ended = await run("policy", "list", "--profile", profile);
    expect(ended.code).toBe(0);
    expect(listed(ended)).toEqual(expected);
    if (profile === "minimal") expect(expected).toEqual(["session_status"]);
    const state = { read: "ready" } as Readonly<Record<string, string>>;
    expect((await run("policy", "list", "--profile", profile, "--json")).json()).toEqual({
      profile,
      tools: expected.map((name) => ({ name, ...(state[name] !== undefined && { state: state[name] }) })),
    });
  });

  // row: E2
  it("prints every tool for full: those of the catalog, and those of the server", async () => {
    const catalog = coreToolCatalog.map(({ name }) => name);
    const ended = await run("policy", "list", "--profile", "full");
    expect(listed(ended)).toEqual([...catalog, ...names.filter((name) => !catalog.includes(name))]);
    expect(ended.output).toMatch(/^git +ready$/m);
    expect(ended.output).toMatch(/^browser +not here$/m);
  });

  it("prints what groups and patterns of a profile of one's own stand for", async () => {
    expect(listed(await run("policy", "list", "--profile", "shipping"))).toEqual(["git", "tool_1"]);
  });

  it("says so where a profile has none", async () => {
    const ended = await run("policy", "list", "--profile", "leaving");
    expect([ended.code, ended.output.trim()]).toEqual([0, "The profile leaving has no tools."]);
  });

  it("names the nearest profile for one that does not exist", async () => {
    const ended = await run("policy", "list", "--profile", "minmal");
    expect(ended.code).not.toBe(0);
    expect(ended.errors).toContain('There is no profile "minmal". Did you mean "minimal"?');
    expect((await run("policy", "list", "--profile", "__proto__")).errors).toContain(
      'There is no profile "__proto__". Known profiles: minimal, coding, messaging, full, shipping, leaving.',
    );
  });
});

describe("a phase", () => {
  // row: E15
  it("tells how much it allows in assemble --trace, and only that is exported", async () => {
    const { output } = await run("assemble", "--agent", "ann", "--phase", "deliver", "--trace");
    expect(output).toMatch(/^policy +2 +13 removed, 2\/15 allowed$/m);
    expect(output).toMatch(/^ {2}policy removes read: .*phases\.deliver/m);
    expect(output.match(/^ {2}[a-z]+$/gm)).toEqual(["  git", "  github"]);
    const exported = (await run("export", "openai-chat", "--agent", "ann", "--phase", "deliver", "--json")).json() as { names: object };
    expect(Object.values(exported.names)).toEqual(["git", "github"]);
    expect((await run("assemble", "--agent", "ann", "--trace")).output).toMatch(/^policy +15 +15\/15 allowed$/m);
  });

  it.each(["assemble", "export", "search", "show"])("that the policy does not list is named by %s", async (command) => {
    const operands = { assemble: [], export: ["openai-chat"], search: ["read"], show: ["read"] }[command]!;
    const told = 'The policy lists no phase "gone", so there are no tools in it.';
    expect((await run(command, ...operands, "--agent", "ann", "--phase", "gone")).errors).toContain(told);
    expect((await run(command, ...operands, "--phase", "gone")).errors).toContain(told);
    expect((await run(command, ...operands, "--agent", "ann", "--phase", "deliver")).errors).not.toContain("lists no phase");
    expect((await run(command, ...operands, "--agent", "ann", "--phase", "gone", "--json")).errors).not.toContain("lists no phase");
  });

  it("is a reason that policy explain gives, and holds for a call", async () => {
    const explained = await run("policy", "explain", "read", "--agent", "ann", "--phase", "deliver");
    expect([explained.code, explained.output]).toEqual([3, expect.stringContaining("phases.deliver")]);
    expect((await run("call", "read", "--agent", "ann", "--phase", "deliver")).code).toBe(3);
    expect((await run("call", "git", "--agent", "ann", "--phase", "deliver")).code).toBe(0);
  });
});
