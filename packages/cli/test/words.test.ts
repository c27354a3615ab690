import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { run, temporaryFolder } from "./_run.ts";

async function folderWith(lines: readonly string[]): Promise<string> {
  const folder = await temporaryFolder();
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
    expect(banner).toContain("Make a key for it: toolrack keys create <agent>");
  });

  it("is the address alone, where anonymous has tools and no key exists", async () => {
    const folder = await folderWith(["policy:", "  agents:", "    support: {}", "    anonymous: { tools: { allow: [random] } }"]);
    expect(await bannerIn(folder)).not.toContain("Bearer");
    expect((await run(["keys", "create", "support"], { folder })).code).toBe(0);
    expect(await bannerIn(folder)).toContain("Bearer <key>");
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
    expect(output).toMatch(/bob \(not listed: opens no tool\)/);
    expect(output).not.toMatch(/anna \(not listed/);
    expect((await run(["doctor"], { folder })).output).toContain('does not list the agent "bob"');
  });
});
