import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { verifyAudit } from "@toolrack/store";
import { bundleProgram, removeProgram, startProgram } from "@toolrack/testkit/child-server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { processesWith } from "@toolrack/testkit/processes";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let crashing: string;
beforeAll(async () => {
  crashing = await bundleProgram(new URL("../programs/crashing.ts", import.meta.url));
});
afterAll(() => removeProgram(crashing));

interface Line {
  readonly called?: string;
  readonly ran?: string;
  readonly done?: string;
  readonly asked?: string;
}

describe("a server that is killed during a hundred calls", () => {
  it("leaves each of them recorded as finished or aborted, none lost, and no process behind", async () => {
    const folder = temporaryFolder();
    const marker = randomUUID();
    const server = startProgram(crashing, folder, fileURLToPath(new URL("../programs/mcp-server.mjs", import.meta.url)), marker);
    const lines = server.lines as readonly Line[];
    const all = (kind: keyof Line): string[] => lines.flatMap((line) => line[kind] ?? []);
    await until(() => all("ran").length === 100 && all("done").length >= 10 && all("asked").length === 1, "The calls did not start.");
    await until(() => processesWith(marker).length >= 3 && processesWith(`${marker}-exec`).length >= 1, "The programs did not start.");
    await server.end("SIGKILL");
    const done = new Set(all("done"));
    expect(done.size).toBeLessThan(100);

    const rack = await openTestRack({ folder, config: {} });
    const stored = await Promise.all(all("called").map((callId) => rack.calls.show(callId)));
    expect(stored.every((call) => call !== undefined)).toBe(true);
    for (const call of stored) {
      if (done.has(call!.callId)) expect(call).toMatchObject({ ok: true });
      else if (!call!.ok) expect(call).toMatchObject({ code: "ABORTED", caller: { agent: "worker" } });
    }
    expect(stored.filter((call) => call?.code === "ABORTED").length).toBeGreaterThanOrEqual(50);
    expect(await rack.calls.show(all("asked")[0]!)).toMatchObject({ ok: false, code: "ABORTED", tool: "ask_first" });
    expect(await rack.approvals.list()).toEqual([]);
    expect(await rack.calls.running()).toEqual([]);
    expect(await rack.running.waitFor(all("called").find((callId) => !done.has(callId))!)).toMatchObject({ ok: false, code: "ABORTED" });
    expect(await verifyAudit(rack.store)).toMatchObject({ ok: true });
    await until(() => processesWith(marker).length === 0, "A process was left behind.");
  });
});
