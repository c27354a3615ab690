import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/errors.ts";
import type { ToolEvent } from "../../src/events.ts";
import { createRegistry } from "../../src/registry/create.ts";
import type { Registry } from "../../src/registry/registry.ts";
import type { ToolSource } from "../../src/sources/source.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import { createFakeClock, type FakeClock, settle } from "../../src/testing/fake-clock.ts";

interface Remote extends ToolSource {
  reads: number;
  fault: Error | undefined;
}

function remote(fault?: Error): Remote {
  const tools = [fakeTool({ name: "lookup" })];
  const source: Remote = {
    id: "remote",
    reads: 0,
    fault,
    list() {
      source.reads += 1;
      if (source.fault !== undefined) throw source.fault;
      return tools;
    },
  };
  return source;
}

function openWith(source: ToolSource): { readonly clock: FakeClock; readonly registry: Registry; readonly events: string[] } {
  const clock = createFakeClock();
  const registry = createRegistry({ clock });
  const events: string[] = [];
  registry.subscribe((event: ToolEvent) => void events.push(event.type));
  void registry.addSource(source);
  return { clock, registry, events };
}

/** The waits between the reads, as the status announces them. */
async function waitsOf(registry: Registry, clock: FakeClock, times: number): Promise<readonly number[]> {
  const waits: number[] = [];
  for (let count = 0; count < times; count++) {
    await settle();
    const waitMs = registry.sources()[0]!.retryAt! - clock.now();
    waits.push(waitMs);
    await clock.advance(waitMs);
  }
  return waits;
}

describe("a source that was away at the start", () => {
  it("is read again by itself, and its tools are there once it is back", async () => {
    const source = remote(new Error("no connection"));
    const { clock, registry, events } = openWith(source);
    await settle();
    expect(registry.sources()).toMatchObject([{ state: "failed", error: "no connection", tools: [], retryAt: expect.any(Number) }]);
    source.fault = undefined;
    await clock.advance(1_000);
    expect(registry.sources()).toEqual([{ id: "remote", state: "ready", tools: ["lookup"], problems: [], readAt: expect.any(Number) }]);
    expect(events).toEqual(["source-failed", "tool-added", "source-ready"]);
    expect(clock.pending).toBe(0);
  });

  it("is read ever more rarely while it stays away, at random times, up to a minute apart", async () => {
    const { clock, registry } = openWith(remote(new Error("no connection")));
    const waits = await waitsOf(registry, clock, 9);
    for (const [index, waitMs] of waits.entries()) {
      const longest = Math.min(60_000, 1_000 * 2 ** index);
      expect(waitMs).toBeGreaterThanOrEqual(longest * 0.75);
      expect(waitMs).toBeLessThanOrEqual(longest);
    }
    expect(new Set(waits.slice(6)).size).toBe(3);
  });

  it("is reported once, however often it is tried", async () => {
    const { clock, registry, events } = openWith(remote(new Error("no connection")));
    await waitsOf(registry, clock, 5);
    expect(events).toEqual(["source-failed"]);
  });

  it("begins with short waits again after it was there", async () => {
    const source = remote(new Error("no connection"));
    const { clock, registry } = openWith(source);
    await waitsOf(registry, clock, 6);
    source.fault = undefined;
    await registry.refreshSource("remote");
    source.fault = new Error("gone again");
    await registry.refreshSource("remote");
    expect((await waitsOf(registry, clock, 1))[0]).toBeLessThanOrEqual(1_000);
  });
});

describe("a source that is wrong", () => {
  it("shows its reason, and is tried again a minute later at most", async () => {
    const source = remote(new ToolError("CONFIG_INVALID", "The document is no document."));
    const { clock, registry } = openWith(source);
    const [waitMs] = await waitsOf(registry, clock, 1);
    expect(waitMs).toBeGreaterThanOrEqual(45_000);
    expect(waitMs).toBeLessThanOrEqual(60_000);
    expect(registry.sources()[0]).toMatchObject({ state: "failed", error: "The document is no document." });
    expect(source.reads).toBe(2);
  });

  it("is left alone as long as it asks for", async () => {
    const { clock, registry } = openWith(remote(new ToolError("RATE_LIMITED", "Too many requests.", { retryAfterMs: 300_000 })));
    expect((await waitsOf(registry, clock, 1))[0]).toBe(300_000);
  });
});

it("a source that was removed is not tried again", async () => {
  const source = remote(new Error("no connection"));
  const { clock, registry } = openWith(source);
  await settle();
  await registry.removeSource("remote");
  expect(clock.pending).toBe(0);
  await clock.advance(120_000);
  expect(source.reads).toBe(1);
});
