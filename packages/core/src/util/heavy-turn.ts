import { nextTurn } from "./next-turn.ts";

/**
 * Resolves when a piece of synchronous work that may take tens of milliseconds can begin. The pieces follow one another, and behind each the
 * event loop belongs to everything else for about as long as the piece took: a small request that needs several turns of the loop is
 * answered between two pieces, however many wait.
 */
export function heavyTurn(): Promise<void> {
  const turn = last;
  last = turn.then(rest);
  return turn;
}

let last: Promise<void> = Promise.resolve();

/** Called just before a piece begins; the next turn of the loop comes when it has ended. */
async function rest(): Promise<void> {
  const begunAt = performance.now();
  await nextTurn();
  const tookMs = performance.now() - begunAt;
  if (tookMs >= shortestRestMs) await new Promise((resolve) => setTimeout(resolve, Math.min(tookMs, longestRestMs)));
}

const shortestRestMs = 2;
const longestRestMs = 50;
