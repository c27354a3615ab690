import { Worker } from "node:worker_threads";
import { readLimits } from "./read-limits.ts";
import { readYamlProgram, type TextRead } from "./yaml-program.ts";

/** What the thread may take for one text of the greatest length. */
const limits = { runMs: 120_000, memoryMb: 2_048 } as const;

/**
 * Reads a YAML text in a thread, so that the calling thread can serve others meanwhile. One text is read after another: each may need much memory. A thread
 * that takes too long, or whose caller has aborted, is ended.
 */
export async function readYamlInThread(text: string, signal?: AbortSignal): Promise<TextRead> {
  const before = last;
  let leave!: () => void;
  last = new Promise((resolve) => (leave = resolve));
  try {
    await before;
    signal?.throwIfAborted();
    return await run(text, signal);
  } finally {
    leave();
  }
}

let last: Promise<void> = Promise.resolve();

function run(text: string, signal: AbortSignal | undefined): Promise<TextRead> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(programText, {
      eval: true,
      name: "toolrack yaml",
      workerData: { text, readLimits, home: import.meta.url },
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
    });
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
      void worker.terminate();
      settle();
    };
    const answer = (read: TextRead) => (): void => resolve(read);
    const giveUp = (): void => end(() => reject(signal!.reason as Error));
    const timer = setTimeout(() => end(answer(tooMuch)), limits.runMs);
    signal?.addEventListener("abort", giveUp, { once: true });
    worker.once("message", (read: TextRead) => end(answer(read)));
    worker.once("error", () => end(answer(tooMuch)));
    worker.once("exit", () => end(answer(tooMuch)));
  });
}

const tooMuch: TextRead = {
  fact: `takes more than ${limits.runMs / 1_000} s or ${limits.memoryMb} MB to read as YAML. Convert it to JSON`,
};

/** The parser is looked for from here, as an import would. What aliases nest too deeply cannot be sent between threads. */
const programText = `
  const { parentPort, workerData } = require("node:worker_threads");
  const program = ${readYamlProgram.toString()};
  const read = program(require("node:module").createRequire(workerData.home)("yaml"), workerData.text, workerData.readLimits);
  try {
    parentPort.postMessage(read);
  } catch {
    parentPort.postMessage({ fact: workerData.readLimits.tooDeep });
  }
`;
