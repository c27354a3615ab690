import { nextTurn } from "./next-turn.ts";

/**
 * Resolves when a piece of synchronous work that may take tens of milliseconds can begin. The pieces follow one another, and after each the
 * event loop belongs to everything else for about as long as the piece took: a small request that needs several turns of the loop is
 * answered between two pieces, however many wait. Callers take turns: a caller with one piece waits for one of each other caller, not for all.
 */
export function heavyTurn(caller = ""): Promise<void> {
  return new Promise((begin) => {
    const own = waiting.get(caller);
    if (own === undefined) waiting.set(caller, [begin]);
    else own.push(begin);
    if (!isServing) void serve();
  });
}

/** Whether a body of JSON has so many bytes or values that its work waits for a turn. It counts what each value but the first begins with. */
export function isLargeJson(bytes: Uint8Array): boolean {
  if (bytes.length > largeBytes) return true;
  if (bytes.length < largeValues) return false;
  let values = 1;
  for (const byte of bytes) if (byte === comma || byte === bracket || byte === brace) values++;
  return values >= largeValues;
}

/** A body that says that it has more bytes is large before it arrives. */
export const largeBytes = 65_536;
const largeValues = 1_000;
const comma = 0x2c;
const bracket = 0x5b;
const brace = 0x7b;

/** The callers with pieces, in the order of their turns. */
const waiting = new Map<string, (() => void)[]>();
let isServing = false;

async function serve(): Promise<void> {
  isServing = true;
  await undefined; // what else the caller starts now may come before the second piece
  for (let begin = takeNext(); begin !== undefined; begin = takeNext()) {
    begin();
    await rest();
  }
  isServing = false;
}

/** The oldest piece of the caller whose turn it is; that caller is the last one then. */
function takeNext(): (() => void) | undefined {
  for (const [caller, pieces] of waiting) {
    const begin = pieces.shift();
    waiting.delete(caller);
    if (pieces.length > 0) waiting.set(caller, pieces);
    return begin;
  }
  return undefined;
}

/** Called just before a piece begins; the next turn of the loop comes when it has ended. */
async function rest(): Promise<void> {
  const begunAt = performance.now();
  await nextTurn();
  const tookMs = performance.now() - begunAt;
  if (tookMs >= shortestRestMs) await new Promise((resolve) => setTimeout(resolve, Math.min(tookMs, longestRestMs)));
}

const shortestRestMs = 2;
const longestRestMs = 50;
