import { defineTool } from "@toolrack/core";
import { openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Ended, run as runCommand } from "./_run.ts";

async function open(): Promise<(...words: string[]) => Promise<Ended>> {
  const folder = temporaryFolder();
  const server = await openServer({ folder, port: 0, consoleFolder: false, logLevel: "silent", config: { store: { memory: true } } });
  onTestFinished(() => server.close({ graceMs: 0 }));
  const base = { description: "Works.", version: "1.2.0", inputSchema: { type: "object" } } as const;
  server.rack.registry.register(defineTool({ ...base, name: "fine", handler: () => "all is well" }));
  server.rack.registry.register(
    defineTool({ ...base, name: "endless", metadata: { limits: { timeoutMs: 20 } }, handler: () => new Promise<string>(() => {}) }),
  );
  return (...words) => runCommand(words, { folder, environment: { TOOLRACK_URL: server.url } });
}

describe("the record of a call, from the command", () => {
  // row: B8
  it("of one that took too long is among the errors, with its type and that it may be tried again", async () => {
    const run = await open();
    await run("call", "fine", "{}");
    await run("call", "endless", "{}");
    const { calls } = (await run("calls", "--errors", "--json")).json() as { calls: { tool: string; callId: string }[] };
    expect(calls.map(({ tool }) => tool)).toEqual(["endless"]);
    const one = await run("calls", calls[0]!.callId);
    expect(one.output).toMatch(/endless\s.*TIMEOUT[^]*"type":"timeout"[^]*"retryable":true/);
  });

  // row: F20
  it("shows input, output, caller, times and the version of the tool", async () => {
    const run = await open();
    await run("call", "fine", '{"word":"hello"}');
    const { calls } = (await run("calls", "--json")).json() as { calls: { callId: string }[] };
    const shown = await run("calls", calls[0]!.callId);
    expect(shown.output).toMatch(/INPUT\s+\{"word":"hello"\}\nOUTPUT\s+"all is well"/);
    expect((await run("calls", calls[0]!.callId, "--json")).json()).toMatchObject({
      tool: "fine",
      version: "1.2.0",
      input: { word: "hello" },
      output: "all is well",
      caller: expect.any(Object) as object,
      startedAt: expect.anything() as unknown,
      durationMs: expect.any(Number) as number,
    });
  });
});
