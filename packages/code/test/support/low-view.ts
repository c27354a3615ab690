import { runProgram, type Label, type ProgramResult } from "../../src/index.ts";
import { runPaused } from "./paused.ts";

/** Two worlds that differ in the secret alone. */
export const secrets = [
  { flag: true, n: 3, str: "aaa", list: [1, 2, 3], obj: { a: 1 } },
  { flag: false, n: 5, str: "zzz", list: [1, 2, 3, 4, 5], obj: { a: 1, b: 2 } },
] as const;

const before = "const s = await tools.get({});\n";

/** `pauseAfter`: through its stored form, every so many steps. */
export async function runWith(secret: unknown, source: string, pauseAfter?: number): Promise<ProgramResult> {
  const tools = {
    get: async () => secret,
    pub: async () => ({ n: 7 }),
    echo: async (input: unknown) => input,
    send: async () => ({ ok: 1 }),
    fail: async ({ f }: { f: boolean }) => {
      if (f) throw Object.assign(new Error("bad"), { code: "C1" });
      return { ok: 1 };
    },
  };
  const options = { labels: { get: ["secret"] }, seed: 1, now: () => 0, limits: { steps: 300_000 } };
  if (pauseAfter !== undefined) return await runPaused(before + source, tools, options, pauseAfter);
  return await runProgram(before + source, { ...options, tools });
}

function isLow(labels: readonly Label[]): boolean {
  return !labels.includes("secret");
}

/** What somebody sees who may not know the secret. */
export function lowView(result: ProgramResult): string {
  const outcome = !isLow(result.labels) ? "secret" : result.ok ? result.value : { kind: result.error.kind, message: result.error.message };
  return JSON.stringify({
    outcome,
    logs: result.logs.filter(({ labels }) => isLow(labels)).map(({ text }) => text),
    calls: result.calls.filter(({ labels }) => isLow(labels)).map(({ tool, input }) => [tool, input]),
  });
}
