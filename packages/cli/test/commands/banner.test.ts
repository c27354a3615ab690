import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { clientLines, servingLine } from "../../src/commands/_banner.ts";
import { createStyle } from "../../src/print/style.ts";
import { run } from "../_run.ts";

const plain = createStyle(false);

/** What `toolrack serve` prints in a folder with this configuration, until it is told to end. */
async function bannerOf(
  files: Readonly<Record<string, string>>,
  { isTerminal = false, words = [] }: { readonly isTerminal?: boolean; readonly words?: readonly string[] } = {},
): Promise<string> {
  const ending = new AbortController();
  const { output, errors } = await run(["serve", "--port", "0", "--log-level", "silent", ...words], {
    folder: temporaryFolder(files),
    signal: ending.signal,
    isTerminal,
    onOutput: (text) => /Ctrl-C|"mcp"/.test(text) && ending.abort(),
  });
  return output + errors;
}

describe("what serve prints", () => {
  it("counts the tools of one's own apart from those that come with it, and names agents that have tools alone", async () => {
    const banner = await bannerOf({
      "toolrack.config.yaml":
        "store: { memory: true }\ntools: { modules: [./tools.mjs], packs: { utility: true, files: false } }\npolicy:\n  agents:\n    idle: { tools: { deny: ['*'] } }\n    anonymous: { tools: { allow: [greet] } }\n    support: { tools: { allow: [greet] } }\n",
      "tools.mjs":
        'const tool = (name) => ({ name, description: "Greets a person.", inputSchema: { type: "object" }, handler: () => "Hello." });\nexport default [tool("greet"), tool("wave")];\n',
    });
    expect(banner).toMatch(/^Toolrack is serving 2 tools of yours \(greet, wave\) and \d+ built-in tools\.$/m);
    expect(banner).toContain('To connect an MCP client as "support", create a key: ');
  });

  it("TD6: has a link that signs the owner in only on a terminal; elsewhere it says how to get one", async () => {
    const files = { "toolrack.config.yaml": "store: { memory: true }\n" };
    const link = /Console {2}\S*http:\/\/127\.0\.0\.1:\d+\/#sign-in=trc_\S+/;
    expect(await bannerOf(files, { isTerminal: true })).toMatch(link);
    const elsewhere = await bannerOf(files);
    expect(elsewhere).toMatch(
      /Console {2}http:\/\/127\.0\.0\.1:\d+\n.*npx toolrack --url http:\/\/127\.0\.0\.1:\d+ open, as the user of this server/,
    );
    const asJson = await bannerOf(files, { words: ["--json"] });
    expect(asJson).toMatch(/"console": ?"http:\/\/127\.0\.0\.1:\d+"/);
    for (const text of [elsewhere, asJson]) expect(text).not.toMatch(/sign-in=|trc_/);
  });

  it("leaves out the half that there is nothing of", () => {
    expect(servingLine({ builtIn: 0, own: ["greet"] }, plain)).toBe("Toolrack is serving 1 tool of yours (greet).");
    expect(servingLine({ builtIn: 1, own: [] }, plain)).toBe("Toolrack is serving 1 built-in tool.");
    expect(servingLine({ builtIn: 0, own: [] }, plain)).toBe("Toolrack is serving 0 built-in tools.");
  });

  it("tells what callers without a key have, only where they have something", () => {
    const told = (anonymousTools: number | undefined): number =>
      clientLines({ url: "http://x/mcp", agents: ["a"], anonymousTools, program: "toolrack" }).filter((line) => line.includes("anonymous"))
        .length;
    expect([told(undefined), told(0), told(1)]).toEqual([0, 0, 1]);
  });
});
