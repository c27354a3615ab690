/** Whether this is the long form of the tests, which `npm run test:long -- sizes` runs. */
const isLong = process.env["TOOLRACK_LONG"] === "1";

/** How many values, rows or rounds a test takes: what is enough for every change, and what is for the long form. */
export function sized<Size>(short: Size, long: Size): Size {
  return isLong ? long : short;
}

/** In the short form one value of so many, beginning with the first; in the long form every value. */
export function oneOf<Value>(many: number, values: readonly Value[]): readonly Value[] {
  return isLong ? values : values.filter((_, index) => index % many === 0);
}

/** In the short form each value on one of the two stores, by turns; in the long form every value on both. */
export function perStore<Value>(values: readonly Value[], store: "SQLite" | "PostgreSQL"): readonly Value[] {
  return isLong ? values : values.filter((_, index) => (index % 2 === 0) === (store === "SQLite"));
}
