/** Whether this is the long form of the tests, which `npm run test:long -- sizes` runs. */
const isLong = process.env["TOOLRACK_LONG"] === "1";

/** How many values, rows or rounds a test takes: what is enough for every change, and what is for the long form. */
export function sized(short: number, long: number): number {
  return isLong ? long : short;
}
