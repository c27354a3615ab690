import { randomBytes } from "node:crypto";

/**
 * Names a call: the moment, so that calls of one time stand side by side in an index and are written together, and then 144 random bits,
 * so that whoever does not know a call cannot name it.
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

/** For the next names: asking the system for each would cost more than the rest. */
let random = "";
let next = 0;

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
