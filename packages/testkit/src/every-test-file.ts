import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, vi } from "vitest";
import { cleanUpAfterTest } from "./cleanup.ts";

// Vitest runs this before each test file. Files share a process, so what one of them changes is undone at its end.
const before = { ...process.env };
const state = mkdtempSync(join(tmpdir(), "toolrack-state-"));
// Where servers note that they run: never in the folder of the person who runs the tests.
process.env["XDG_STATE_HOME"] = state;

afterEach(cleanUpAfterTest);
afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  rmSync(state, { recursive: true, force: true });
});
