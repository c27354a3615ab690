import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, vi } from "vitest";
import { cleanUpAfterTest } from "./cleanup.ts";
import { keepTimersOfNode } from "./timers-of-node.ts";

// Vitest runs this before each test file. Files share a process, so what one of them changes is undone at its end.
const before = { ...process.env };
const state = mkdtempSync(join(tmpdir(), "toolrack-state-"));
// Where servers note that they run: never in the folder of the person who runs the tests.
process.env["XDG_STATE_HOME"] = state;

/** What tests replace to move time. A file that left one replaced would let the files after it wait for ever. */
const clocks = () => ({
  setTimeout,
  setInterval,
  setImmediate,
  Date,
  performance,
  "performance.now": performance.now,
  "Math.random": Math.random,
});
const shared = globalThis as { toolrackClocks?: ReturnType<typeof clocks> };
const real = (shared.toolrackClocks ??= clocks());

keepTimersOfNode();
afterEach(cleanUpAfterTest);
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  rmSync(state, { recursive: true, force: true });
  const replaced = Object.entries(clocks()).filter(([name, clock]) => clock !== real[name as keyof typeof real]);
  if (replaced.length > 0) throw new Error(`This file leaves ${replaced.map(([name]) => name).join(", ")} replaced.`);
});
