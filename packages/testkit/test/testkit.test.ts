import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { afterThisTest } from "../src/cleanup.ts";
import { readAllEvents } from "../src/events.ts";
import { temporaryFolder } from "../src/folders.ts";
import { openTestServer, serverOver } from "../src/test-server.ts";
import { untilAborted } from "../src/aborted.ts";
import { countTurns, turns } from "../src/turns.ts";
import { until, untilLater } from "../src/until.ts";

describe("the test kit", () => {
  const seen: string[] = [];

  it("makes a folder with files …", () => {
    const folder = temporaryFolder({ "a/b.txt": ["one", "two"], "c.txt": "three" });
    expect([readFileSync(join(folder, "a/b.txt"), "utf8"), readFileSync(join(folder, "c.txt"), "utf8")]).toEqual(["one\ntwo", "three"]);
    seen.push(folder);
    afterThisTest(() => seen.push(existsSync(folder) ? "removed later" : "removed before"));
    afterThisTest(async () => {
      await new Promise(setImmediate);
      seen.push("awaited");
    });
  });

  it("… and removes it after the test, what was registered last first", () => {
    expect(existsSync(seen[0]!)).toBe(false);
    expect(seen.slice(1)).toEqual(["awaited", "removed later"]);
  });

  it("reads events however the stream is cut, and leaves out comments", async () => {
    const pieces = ["id: 1\nevent: a\nda", 'ta: {"x":1}\n', "\n: comment\n\nda", "ta: 2\n\n"];
    const body = new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    });
    expect(await readAllEvents(new Response(body))).toEqual([
      { id: "1", event: "a", data: { x: 1 } },
      { event: "message", data: 2 },
    ]);
  });

  it("waits for what becomes true, and passes on an error of the question", async () => {
    let count = 0;
    await until(() => ++count === 3);
    await expect(until(() => Promise.reject(new Error("no answer")))).rejects.toThrow("no answer");
  });

  it("lets the event loop turn, counts its turns, and ends with a signal that is aborted", async () => {
    const counted = countTurns();
    await turns(20);
    expect(counted()).toBeGreaterThanOrEqual(19);
    const controller = new AbortController();
    const waiting = untilAborted(controller.signal);
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await expect(untilAborted(controller.signal)).rejects.toThrow("enough");
    const before = Date.now();
    await untilLater(3);
    expect(Date.now()).toBeGreaterThanOrEqual(before + 3);
  });

  it("gives up waiting for what never becomes true, and says what it was", async () => {
    let asked = 0;
    await expect(until(() => ++asked < 0, "The light stays red.", 3)).rejects.toThrow("The light stays red.");
    expect(asked).toBe(3);
  });

  it("opens one server that is asked as the owner, as an agent, as nobody and from elsewhere", async () => {
    await using server = await openTestServer({ isExposed: true });
    expect(await server.ask("GET", "/keys")).toMatchObject({ status: 200 });
    const ann = await server.as("ann");
    expect((await ann("GET", "/keys")).status).toBe(403);
    const boss = await server.as("boss", "admin");
    expect((await boss("GET", "/keys")).status).toBe(200);
    expect((await server.ask("GET", "/keys", undefined, { key: "" })).status).toBe(401);
    expect((await server.request("GET", "/api/v1/keys", { headers: { authorization: "" } })).status).toBe(401);
    expect((await server.request("GET", "/api/v1/keys", { from: "192.0.2.7" })).status).toBe(401);
  });

  it("checks every answer of the API: one that does not fit its schema is an error, also over a rack that was there before", async () => {
    await using server = await openTestServer();
    for (const { ask } of [server, serverOver(server.rack)]) {
      expect((await ask("GET", "/bundles")).status).toBe(200);
      const broken = vi.spyOn(server.rack.settings, "bundles").mockReturnValue([{ name: 5 }] as never);
      expect((await ask("GET", "/bundles")).status).toBe(500);
      broken.mockRestore();
    }
  });
});
