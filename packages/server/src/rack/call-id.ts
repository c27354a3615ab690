import { randomBytes } from "node:crypto";

/**
 * Names a call: the moment, so that calls of one time stand side by side in an index and are written together, and then 144 random bits,
 * so that whoever does not know a call cannot name it.
 */
export function newCallId(): string {
  if (next === pool.length) refill();
  pool.write(momentNow(), next, "latin1");
  next += idLength;
  return pool.toString("latin1", next - idLength, next);
}

const momentLength = 9;
const randomLength = 24;
const idLength = momentLength + randomLength;
const idsAtOnce = 256;

/** Names whose random part is there already: asking the system for each would cost more than the rest. */
const pool: Buffer = Buffer.alloc(idsAtOnce * idLength);
let next = pool.length;

function refill(): void {
  const random = randomBytes((idsAtOnce * randomLength * 3) / 4).toString("base64url");
  for (let id = 0; id < idsAtOnce; id++)
    pool.write(random.slice(id * randomLength, (id + 1) * randomLength), id * idLength + momentLength, "latin1");
  next = 0;
}

let latest = 0;
let moment = "";

/** Milliseconds since 1970, in order as texts, too. */
function momentNow(): string {
  const now = Date.now();
  if (now !== latest) {
    latest = now;
    moment = now.toString(36).padStart(momentLength, "0");
  }
  return moment;
}
