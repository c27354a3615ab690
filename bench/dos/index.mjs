export const title =
  "What a caller without a role can do to the others: its worst requests, 50 at once, and another caller's answers meanwhile";

/** `npm run bench:dos -- 10 2000` sends 10 of each, to a server with 2,000 calls in its log; `--only logit` only those whose name has the word. */
export async function run([count = "50", logged = "20000"] = [], { only = "" } = {}) {
  const { measureAttacks } = await import("./measure-attacks.mjs");
  return [
    await measureAttacks({
      count: Number(count),
      logged: Number(logged),
      only: ({ make, name }) => make === undefined || name.includes(only),
    }),
  ];
}
