import { definingTable } from "./defining.mjs";
import { speedTables } from "./speed.mjs";
import { howToScore, scoreSuite } from "./suite.mjs";

export const title = "Schemas: the official test suite, the speed of checks, and what a defined tool costs";

/** `npm run bench:schema -- DIR` also scores the official JSON-Schema-Test-Suite that lies in DIR. */
export async function run([folder]) {
  const suite = folder === undefined ? howToScore : await scoreSuite(folder);
  return [suite, ...(await speedTables()), await definingTable()];
}
