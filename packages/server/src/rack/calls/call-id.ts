import { randomBytes } from "node:crypto";

/**
 * Creates the id of a call: the time, so that calls of the same time are adjacent in an index, and then 144 random bits, so that the id
 * cannot be guessed.
 */
export function newCallId(): string {
  if (next === random.length) {
    random = randomBytes((idsAtOnce * randomLength * 3) / 4).toString("base64url");
    next = 0;
  }
  next += randomLength;
  return momentNow() + random.slice(next - randomLength, next);
}

const momentLength = 9;
const randomLength = 24;
const idsAtOnce = 256;

/** Random bytes for the next ids: asking the system for each id would cost more than the rest. */
let random = "";
let next = 0;

let latest = 0;
let moment = "";

/** Milliseconds since 1970, as text that sorts in the same order. */
function momentNow(): string {
  const now = Date.now();
  if (now !== latest) {
    latest = now;
    moment = now.toString(36).padStart(momentLength, "0");
  }
  return moment;
}
