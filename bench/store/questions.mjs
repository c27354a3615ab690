const verbs = ["read", "write", "search", "list", "send", "delete", "convert", "compare", "fetch", "draw"];
const nouns = ["file", "invoice", "ticket", "image", "calendar", "message", "repository", "customer", "report", "route"];

/** Definitions with common and rare tags and words. */
export async function fillStore(store, count) {
  for (let start = 0; start < count; start += 1_000) {
    await store.transaction(async (tx) => {
      for (let index = start; index < Math.min(count, start + 1_000); index++) {
        const [verb, noun] = [verbs[index % 10], nouns[Math.floor(index / 10) % 10]];
        const result = await tx.put({
          schema_name: "tool.definition.v1",
          title: `${verb} ${noun} ${index}`,
          tags: ["tool:definition", "workspace:tools", `category:${noun}`, `team:${index % 997}`],
          context: {
            name: `${verb}_${noun}_${index}`,
            description: `Tool number ${index} that can ${verb} a ${noun} for team ${index % 997}.`,
            inputSchema: { type: "object", properties: { id: { type: "string" }, limit: { type: "number", default: 10 } } },
          },
        });
        if (!result.ok) throw new Error(result.message);
      }
    });
  }
}

/** Question → asks it once, a little differently each time. */
export function questions(store, count) {
  const some = (index) => (index * 7_919) % count;
  const nameOf = (index) => `${verbs[index % 10]}_${nouns[Math.floor(index / 10) % 10]}_${index}`;
  return {
    get: (index) => store.get(`tool-def-${nameOf(some(index))}`),
    "search, two tags, both common": (index) => store.search({ allTags: ["workspace:tools", `category:${nouns[index % 10]}`] }),
    "search, two tags, one rare": (index) => store.search({ allTags: ["workspace:tools", `team:${index % 997}`] }),
    "search, any of two tags": (index) => store.search({ anyTags: [`team:${index % 997}`, `category:${nouns[index % 10]}`] }),
    "search, any of two rare tags": (index) => store.search({ anyTags: [`team:${index % 997}`, `team:${(index + 1) % 997}`] }),
    "search, a rare word": (index) => store.search({ text: String(some(index)) }),
    "search, a common word": (index) => store.search({ text: verbs[index % 10] }),
    "search, two words and a tag": (index) => store.search({ text: `${verbs[index % 10]} ${nouns[index % 7]}`, tag: "workspace:tools" }),
    "search, two words of all records": () => store.search({ text: "tool number" }),
    "search, a common word and a rare tag": (index) => store.search({ text: verbs[index % 10], tag: `team:${index % 997}` }),
    "search, a word and a tag that exclude each other": (index) =>
      store.search({ text: nouns[index % 10], tag: `category:${nouns[(index + 1) % 10]}` }),
    "a page of 100 changes": async (index) => {
      let left = 100;
      for await (const _ of store.changes({ since: Math.min(some(index), count - 200) })) if (--left === 0) break;
    },
    history: (index) => store.history(`tool-def-${nameOf(some(index))}`),
    "write, the catalog's hash kept": (index) => store.addTags(`tool-def-${nameOf(some(index))}`, [`mark:${index}`]),
    "write that changes the catalog": (index) => store.mergeContext(`tool-def-${nameOf(some(index))}`, { usageHint: `hint ${index}` }),
  };
}
