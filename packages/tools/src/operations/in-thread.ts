import { Worker } from "node:worker_threads";

export interface ThreadLimits {
  readonly signal: AbortSignal;
  /** How long the program may take. */
  readonly maxRunMs: number;
}

/** What a program answered; or why it did not: its libraries are not installed, or it failed, ran out of memory or out of time. */
export type ThreadEnd<Answer> = { readonly answer: Answer } | { readonly failed: "not-installed" | "too-much" };

/**
 * Runs a program in a thread that is ended in time: for libraries that can take very long over hostile input.
 * The program is carried over as text, so it may use nothing but its parameters and what every thread has. Rejects when the signal is aborted.
 */
export function runInThread<Job, Answer>(
  program: (load: (name: string) => unknown, job: Job) => Answer,
  job: Job,
  { signal, maxRunMs }: ThreadLimits,
): Promise<ThreadEnd<Answer>> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const worker = new Worker(startText(program.toString()), {
      eval: true,
      workerData: { job, home: import.meta.url },
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 256, stackSizeMb: 4 },
    });
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
      void worker.terminate();
      settle();
    };
    const giveUp = (): void => end(() => reject(signal.reason as Error));
    const fail = (): void => end(() => resolve({ failed: "too-much" }));
    const timer = setTimeout(fail, maxRunMs);
    signal.addEventListener("abort", giveUp, { once: true });
    worker.once("message", (answer: ThreadEnd<Answer>) => end(() => resolve(answer)));
    worker.once("error", fail);
    worker.once("exit", fail);
  });
}

/** The libraries are looked for from here, as an import would. */
const startText = (program: string): string => `
  const { parentPort, workerData } = require("node:worker_threads");
  const load = require("node:module").createRequire(workerData.home);
  const program = ${program};
  let end;
  try {
    end = { answer: program(load, workerData.job) };
  } catch (error) {
    end = { failed: error?.code === "MODULE_NOT_FOUND" ? "not-installed" : "too-much" };
  }
  parentPort.postMessage(end);
`;
