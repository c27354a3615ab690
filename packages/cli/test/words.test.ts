import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { run } from "./_run.ts";

async function folderWith(lines: readonly string[]): Promise<string> {
  const folder = temporaryFolder();
  await writeFile(join(folder, "toolrack.config.yaml"), lines.join("\n"));
  return folder;
}

/** What `toolrack serve` prints, until it is told to end. */
async function bannerIn(folder: string): Promise<string> {
  const ending = new AbortController();
  const { output } = await run(["serve", "--port", "0"], {
    folder,
    signal: ending.signal,
    onOutput: (text) => text.includes("Ctrl-C") && ending.abort(),
  });
  return output;
}

describe("what serve prints for an MCP client", () => {
  it("is the form with a key, where callers without one have no tools", async () => {
    const banner = await bannerIn(await folderWith(["policy:", "  agents:", "    support: {}"]));
    expect(banner).toMatch(/"url":"http:\/\/127\.0\.0\.1:\d+\/mcp","headers":\{"Authorization":"Bearer <key>"\}/);
    expect(banner).toMatch(/create a key: npx toolrack --url \S+ keys create support$/m);
  });

  it("has the key also where anonymous has tools, because that ends with the first key, and says what anonymous has until then", async () => {
    const folder = await folderWith(["policy:", "  agents:", "    support: {}", "    anonymous: { tools: { allow: [random] } }"]);
    const banner = await bannerIn(folder);
    expect(banner).toContain("Bearer <key>");
    expect(banner).toContain('Without the header, a client on this machine is "anonymous" and has 1 tool, until a key is created.');
    expect((await run(["keys", "create", "support"], { folder })).code).toBe(0);
    expect(await bannerIn(folder)).not.toContain("Without the header");
  });

  it("names only agents that there are, and says how to list the first one", async () => {
    const banner = await bannerIn(await folderWith(["agents:", "  reader: {}", "  writer: {}"]));
    expect(banner).toContain('To connect an MCP client as "reader", create a key (or for writer)');
    expect(banner).toContain("npx toolrack connect claude-desktop --agent reader");
    const empty = await bannerIn(await folderWith(["tools: {}"]));
    expect(empty).toContain("list an agent that has tools in the configuration first");
    expect(empty).toContain("agents: { assistant: { description: My assistant } }");
  });
});

describe("the doctor", () => {
  it("names rights that are not as their author believes", async () => {
    const folder = await folderWith([
      "tools: { packs: { runtime: true } }",
      "policy:",
      "  tools:",
      '    paths: [{ tool: "*", deny: [secret/] }]',
      "  agents:",
      "    anonymous: {}",
    ]);
    const { problems } = (await run(["doctor", "--json"], { folder })).json() as {
      readonly problems: readonly { readonly about: string; readonly problem: string; readonly remedy: string }[];
    };
    expect(problems).toContainEqual({
      about: "policy: tools.paths[0]",
      problem: expect.stringMatching(/^tools\.paths\[0\] cannot be enforced .+ hides "exec"/) as string,
      remedy: "Name other tools in the rule, or name the parameters that it is about.",
    });
    expect(problems).toContainEqual(expect.objectContaining({ about: "policy: agents.anonymous.tools.allow" }));
    expect((await run(["policy", "explain", "exec", "--agent", "anonymous"], { folder })).output).toContain("exec  denied");
  });
});

describe("the list of keys", () => {
  it("marks a key whose agent is no longer listed", async () => {
    const folder = await folderWith(["policy:", "  agents:", "    bob: {}", "    anna: {}"]);
    for (const agent of ["bob", "anna"]) expect((await run(["keys", "create", agent], { folder })).code).toBe(0);
    await writeFile(join(folder, "toolrack.config.yaml"), "policy:\n  agents:\n    anna: {}\n");
    const { output } = await run(["keys", "list"], { folder });
    expect(output).toMatch(/bob \(not listed: no access to tools\)/);
    expect(output).not.toMatch(/anna \(not listed/);
    expect((await run(["doctor"], { folder })).output).toContain('does not list the agent "bob"');
  });
});

describe("a yes for always", () => {
  it("is listed, and taken back", async () => {
    const folder = await folderWith(["policy:", "  tools: { ask: [random] }", "  agents:", "    anna: {}"]);
    const server = await openServer({ folder, port: 0, consoleFolder: false, logLevel: "silent" });
    onTestFinished(() => server.close({ graceMs: 0 }));
    const options = { folder, environment: { TOOLRACK_URL: server.url } };
    const asked = server.rack.call("random", { min: 1, max: 6 }, { caller: { agent: "anna", principal: "key anna" } });
    const waitingCalls = async (): Promise<readonly { readonly id: string }[] | false> => {
      const found = await server.rack.approvals.list();
      return found.length > 0 && found;
    };
    const [waiting] = await vi.waitUntil(waitingCalls, 60_000);
    expect((await run(["approvals", "allow", waiting!.id, "--scope", "always"], options)).code).toBe(0);
    expect((await asked.result).ok).toBe(true);
    const listed = await run(["approvals", "remembered"], options);
    expect(listed.output).toMatch(/anna\s+random\s+always/);
    const [{ id }] = ((await run(["approvals", "remembered", "--json"], options)).json() as { remembered: [{ id: string }] }).remembered;
    expect((await run(["approvals", "forget", id], options)).code).toBe(0);
    expect((await run(["approvals", "remembered"], options)).output).toContain("No approval is remembered");
    expect((await run(["approvals", "forget", id], options)).code).not.toBe(0);
  });
});
