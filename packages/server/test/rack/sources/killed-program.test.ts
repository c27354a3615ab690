import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeTool } from "@toolrack/core/testing";
import { verifyAudit } from "@toolrack/store";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { sized } from "@toolrack/testkit/sized";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { expect, it } from "vitest";

/** Writes down its process id and each call, and answers calls only once there is a file "go". */
const program = `
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
writeFileSync("pid", String(process.pid));
const tools = [{ name: "pay", description: "Pays.", inputSchema: { type: "object", properties: { n: { type: "number" } } } }];
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "bank", version: "1.0.0" } }),
  ping: () => ({}),
  "tools/list": () => ({ tools }),
  "tools/call"({ arguments: { n } }) {
    appendFileSync("paid", n + "\\n");
    return existsSync("go") ? { content: [{ type: "text", text: "paid " + n }] } : undefined;
  },
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = answers[method]?.(params ?? {});
  const known = Object.hasOwn(answers, method);
  if (result !== undefined || !known)
    process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...(known ? { result } : { error: { code: -32601, message: "?" } }) }) + "\\n");
});
`;

it("a program that is killed in the middle of many calls: each is told as failed, none runs twice, other tools go on, and it comes back", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "bank.mjs"), program);
  const read = (name: string): string => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : "");
  const paid = (): string[] => read("paid").split("\n").filter(Boolean);
  const rack = await openTestRack({
    folder,
    tools: [fakeTool({ name: "near" })],
    config: { sources: { bank: { command: process.execPath, args: ["bank.mjs"], cwd: "." } } },
  });
  await rack.sources.ready();
  const caller = { agent: "anna" };
  const pay = (n: number) => rack.call("bank__pay", { n }, { caller }).result;

  for (let round = 0; round < sized(1, 20); round++) {
    const first = paid().length;
    const calls = Array.from({ length: 40 }, (_, n) => pay(round * 100 + n));
    await until(() => paid().length >= first + 8, "The calls did not reach the program.");
    process.kill(Number(read("pid")), "SIGKILL");
    writeFileSync(join(folder, "go"), "");
    const near = await Promise.all(Array.from({ length: 40 }, () => rack.call("near", {}, { caller }).result));
    expect(near.filter(({ ok }) => !ok)).toEqual([]);
    const results = await Promise.all(calls);
    expect(results.filter(({ ok }) => !ok).length).toBeGreaterThanOrEqual(8);
    for (const [n, result] of results.entries()) {
      expect(paid().filter((one) => one === String(round * 100 + n)).length).toBeLessThanOrEqual(1);
      if (result.ok) expect(result.content).toBe(`paid ${round * 100 + n}`);
      const { callId } = result.meta;
      expect(await rack.calls.show(callId)).toMatchObject({ callId, ok: result.ok });
    }
    await until(async () => (await pay(round * 100 + 99)).ok, "The program did not come back.");
    rmSync(join(folder, "go"));
  }
  expect(await rack.calls.running()).toEqual([]);
  expect(await verifyAudit(rack.store)).toMatchObject({ ok: true });
});
