import { parentPort } from "node:worker_threads";
import { ToolError } from "../../errors.ts";
import { type ThreadAnswer, type ThreadOrder, threadWork } from "./thread-work.ts";

/** The program of the grammar thread: one job after another. It is an entry of the bundles; see `thread-file.ts`. */
parentPort?.on("message", ({ work, args }: ThreadOrder) => {
  parentPort!.postMessage(answer(work, args));
});

function answer(work: ThreadOrder["work"], args: readonly unknown[]): ThreadAnswer {
  try {
    return { result: (threadWork[work] as (...given: readonly unknown[]) => unknown)(...args) };
  } catch (error) {
    return { code: ToolError.is(error) ? error.code : undefined, message: (error as Error).message };
  }
}
