export const title = "The worst requests of a caller without a role, again and again";

/** Rounds over all of them, until the time is over; the row of a request is its worst round. */
export async function run({ seconds }) {
  const { measureAttacks } = await import("../dos/measure-attacks.mjs");
  const until = performance.now() + seconds * 1_000;
  return [await measureAttacks({ count: 10, logged: 2_000, isOver: () => performance.now() > until })];
}
