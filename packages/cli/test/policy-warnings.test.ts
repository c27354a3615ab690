import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { type Ended, run } from "./_run.ts";

interface Report {
  readonly problems: readonly { readonly about: string; readonly problem: string; readonly remedy: string }[];
  readonly tools: number;
}

const config = [
  "policy:",
  "  tools: { deny: [exce, calculator] }",
  "  agents:",
  "    support: { tools: { allow: [random, calculator] } }",
].join("\n");
const unknown = 'No tool matches "exce" in tools.deny, so nothing is denied by it.';
const unreachable = '"calculator" in agents.support.tools.allow has no effect, because tools.deny hides what it matches.';

function demo(): string {
  const folder = temporaryFolder();
  cpSync(fileURLToPath(new URL("../../../examples/demo", import.meta.url)), folder, { recursive: true });
  return folder;
}

/** Serves until the given text was printed to standard output or standard error. */
async function serveUntil(folder: string, isEnough: (output: string) => boolean, ...words: readonly string[]): Promise<Ended> {
  const stop = new AbortController();
  let output = "";
  const onOutput = (text: string): void => {
    output += text;
    if (isEnough(output)) stop.abort();
  };
  return run(["serve", "--port", "0", "--log-level", "silent", ...words], { folder, signal: stop.signal, onOutput });
}

describe("warnings of the policy", () => {
  // row: E9
  it("are problems for the doctor, each with what to do", async () => {
    const folder = temporaryFolder({ "toolrack.config.yaml": config });
    const ended = await run(["doctor", "--json"], { folder });
    const { problems } = ended.json() as Report;
    expect(ended.code).toBe(1);
    expect(problems).toContainEqual({ about: "policy: tools.deny", problem: unknown, remedy: "Correct the entry, or remove it" });
    expect(problems).toContainEqual({
      about: "policy: agents.support.tools.allow",
      problem: unreachable,
      remedy: "Remove the entry, or change tools.deny.",
    });
  });

  it("are printed by serve, also without a log", async () => {
    const folder = temporaryFolder({ "toolrack.config.yaml": config });
    const { output } = await serveUntil(folder, (text) => text.includes("Ctrl-C"));
    expect(output).toContain(unknown);
    expect(output).toContain(unreachable);
    expect(output).toContain("toolrack doctor");
    const json = await serveUntil(folder, (text) => text.includes("}"), "--json");
    expect(json.json()).toMatchObject({ warnings: [unknown, expect.stringContaining(unreachable)] });
  });

  it("are none in the demo and after toolrack init, for the doctor, serve and policy list", async () => {
    const fresh = temporaryFolder();
    expect((await run(["--config", "toolrack.config.yaml", "init"], { folder: fresh })).code).toBe(0);
    expect(existsSync(join(fresh, "toolrack.config.yaml"))).toBe(true);
    for (const folder of [demo(), fresh]) {
      const { problems } = (await run(["doctor", "--json"], { folder })).json() as Report;
      expect(problems.filter(({ about }) => about.startsWith("policy"))).toEqual([]);
      expect((await run(["policy", "list", "--json"], { folder })).json()).toMatchObject({ warnings: [] });
      expect((await serveUntil(folder, (text) => text.includes("}"), "--json")).json()).toMatchObject({ warnings: [] });
    }
  });
});
