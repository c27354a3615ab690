import { readMerged, readSets } from "./corpora.mjs";

const count = 10_000;

/** Ten thousand tools and about three hundred queries: of the sets, every second tool, or made up where there are none. */
export function speedSetting(folder) {
  const merged = folder === undefined ? undefined : readMerged(folder);
  if (merged === undefined || merged.length < count) return madeUp();
  const step = merged.length / count;
  const tools = Array.from({ length: count }, (_, index) => merged[Math.floor(index * step)]);
  const queries = readSets(folder).flatMap((set) => set.queries.map(({ query }) => query));
  const stride = Math.max(1, Math.floor(queries.length / 300));
  return { tools, queries: queries.filter((_, index) => index % stride === 0) };
}

const verbs = ["get", "create", "delete", "list", "update", "search", "send", "convert", "schedule", "analyze"];
const things = ["invoice", "image", "mail", "ticket", "forecast", "stock", "recipe", "flight", "patient", "repository", "song", "device"];
const traits = ["daily", "shared", "archived", "public", "medical", "regional", "historic", "encrypted", "personal", "seasonal"];

function madeUp() {
  const pick = (list, number) => list[number % list.length];
  const word = (number) => `term${((number * 7_919) % 15_000).toString(36)}`;
  const tools = Array.from({ length: count }, (_, index) => {
    const [verb, trait, thing] = [pick(verbs, index), pick(traits, index >> 3), pick(things, index >> 2)];
    return {
      id: `tool-${index}`,
      name: `${verb}_${trait}_${thing}_${index}`,
      description: `Can ${verb} the ${trait} ${thing} by ${word(index)} and ${word(index * 3)}, for every ${word(index * 5)} in ${word(index * 11)}.`,
      inputSchema: {
        type: "object",
        properties: {
          [`${thing}_id`]: { type: "string", description: `Which ${thing}, by its ${word(index * 13)}.` },
          [word(index * 17)]: { type: "string", description: `The ${word(index * 19)} of the ${trait} ${thing}.` },
        },
      },
    };
  });
  const queries = Array.from({ length: 300 }, (_, index) => {
    const [verb, other] = [pick(verbs, index), pick(verbs, index + 3)];
    return `Please ${verb} the ${pick(traits, index >> 1)} ${pick(things, index)} with ${word(index * 23)}, then ${other} my ${pick(things, index + 5)}.`;
  });
  // As if read from a file: texts that are still in pieces would be put together, and paid for, by the first who reads them.
  return JSON.parse(JSON.stringify({ tools, queries }));
}
