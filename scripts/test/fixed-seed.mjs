import fc from "fast-check";

/** The seed of every run that is not told another one. */
const usual = 20_261_115;

/** "7" → 7; nothing → the usual seed; "random" → undefined, with which each property draws a seed of its own. */
export function readSeed(text) {
  if (text === "random") return undefined;
  const seed = text === undefined || text === "" ? usual : Number(text);
  if (!Number.isInteger(seed)) throw new Error(`FC_SEED is "${text}". Write a whole number, or random.`);
  return seed;
}

/** What a property that failed says: how it is run again, and how its counterexample becomes a case of the test. */
export function describeFailure(details) {
  const { seed, counterexample } = details;
  return [
    fc.defaultReportMessage(details),
    `Run it again with FC_SEED=${seed}. When it is mended, keep the counterexample as a case of the test:`,
    `{ examples: [${fc.stringify(counterexample)}] }`,
  ].join("\n");
}

// A run that fails must fail again: property tests draw the same values each time. FC_SEED=random draws new ones.
const seed = readSeed(process.env["FC_SEED"]);
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  ...(seed !== undefined && { seed }),
  reporter(details) {
    if (details.failed) throw new Error(describeFailure(details), { cause: details.errorInstance });
  },
});
