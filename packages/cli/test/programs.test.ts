import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineTool } from "@toolrack/core";
import { openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { until } from "@toolrack/testkit/until";
import { expect, it, onTestFinished } from "vitest";
import { type Ended, run as runCommand } from "./_run.ts";

async function open(): Promise<{ readonly folder: string; run(...words: string[]): Promise<Ended> }> {
  const folder = temporaryFolder();
  const server = await openServer({
    folder,
    port: 0,
    consoleFolder: false,
    logLevel: "silent",
    config: { store: { memory: true }, tools: { packs: { programs: true } }, policy: { tools: { ask: ["pay"] } } },
    tools: [
      defineTool({
        name: "pay",
        description: "Pays a bill.",
        inputSchema: { type: "object", properties: { bill: { type: "string" } }, required: ["bill"] },
        handler: ({ bill }) => ({ receipt: `R-${bill}` }),
      }),
    ],
  });
  onTestFinished(() => server.close({ graceMs: 0 }));
  return { folder, run: (...words) => runCommand(words, { folder, environment: { TOOLRACK_URL: server.url } }) };
}

it("runs a program from a file, with an input", async () => {
  const { folder, run } = await open();
  writeFileSync(join(folder, "sum.ts"), "const n: number = input.a + input.b;\nconsole.log('n is', n);\nreturn n;\n");
  const ended = await run("programs", "run", "sum.ts", "a=2", "b=3", "--json");
  expect(ended.json()).toMatchObject({ ok: true, data: { value: 5, logs: ["n is 5"] } });
  const missing = await run("programs", "run", "none.ts");
  expect([missing.code, missing.errors]).toEqual([2, expect.stringContaining("none.ts cannot be read")]);
});

it("says where a program is wrong", async () => {
  const { folder, run } = await open();
  writeFileSync(join(folder, "wrong.ts"), "const a = 1;\nreturn b;\n");
  const ended = await run("programs", "run", "wrong.ts");
  expect(ended.code).not.toBe(0);
  expect(ended.output + ended.errors).toMatch(/Line 2: .*b is not defined[^]*return b;/);
});

it("shows a program that waits with the line it stands on, answers its question, and shows its result", async () => {
  const { folder, run } = await open();
  writeFileSync(join(folder, "pay.ts"), "const bill = 'B-1';\nreturn (await tools.pay({ bill })).receipt;\n");
  const running = run("programs", "run", "pay.ts", "--json");
  let programs: { id: string }[] = [];
  await until(async () => (programs = ((await run("programs", "--json")).json() as { programs: { id: string }[] }).programs).length > 0);
  const { id } = programs[0]!;
  expect((await run("programs")).output).toMatch(/waiting.*run_code\s+2/);
  expect((await run("programs", "show", id.slice(0, 20))).output).toMatch(/> +2 {2}return \(await tools\.pay[^]*WAITS FOR {2}pay \(line 2/);
  const { waiting } = (await run("approvals", "--json")).json() as { waiting: { id: string }[] };
  expect((await run("approvals")).output).toContain("(program, line 2)");
  expect((await run("approvals", "show", waiting[0]!.id)).output).toMatch(
    /A program waits for the answer, at line 2: return \(await tools\.pay/,
  );
  await run("approvals", "approve", waiting[0]!.id);
  expect((await running).json()).toMatchObject({ ok: true, data: { value: "R-B-1" } });
  expect((await run("programs", "show", id)).output).toMatch(/ended[^]*RESULT {2}\{"value":"R-B-1"\}/);
  expect((await run("programs", "cancel", id)).errors).toContain("has ended already");
});
