/** What the rows of a file ask of a grammar, in one shape for schemas and for sets of tools. */
export function readCases(text) {
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .map((row) => (row.tools === undefined ? schemaCase(row) : toolsCase(row)));
}

function schemaCase({ id, schema, valid, invalid, syntax }) {
  const declared = valid.filter(({ kind }) => kind !== "open-extra");
  return {
    id,
    schema,
    asks: {
      valid: declared.map(({ text }) => [text]),
      pretty: declared.map(({ pretty }) => [pretty]),
      open: valid.filter(({ kind }) => kind === "open-extra").map(({ text }) => [text]),
      invalid: invalid.map(({ text }) => [text]),
      broken: syntax.map(({ text }) => [text]),
    },
  };
}

function toolsCase({ id, parallel, tools, accept, reject }) {
  return {
    id,
    parallel,
    tools: tools.map(({ name, schema }) => ({ name, inputSchema: schema })),
    asks: { valid: accept, pretty: [], open: [], invalid: reject.map(({ text }) => [text]), broken: [] },
  };
}

const refused = new Set(["invalid", "broken"]);

/** Asks the judge about every case. Each ask is a list of spellings, of which one must be accepted or none may be. */
export async function score(cases, questionOf, judge) {
  const counts = { built: 0, perfect: 0, valid: [0, 0], pretty: [0, 0], open: [0, 0], invalid: [0, 0], broken: [0, 0] };
  const misses = [];
  for (const one of cases) {
    const groups = Object.entries(one.asks);
    const texts = groups.flatMap(([, asks]) => asks.flat());
    const answer = await judge.ask({ ...questionOf(one), texts });
    if (!answer.ok) misses.push(`${one.id}: not built, ${answer.reason}`);
    else counts.built++;
    let isPerfect = answer.ok;
    let next = 0;
    for (const [group, asks] of groups) {
      for (const spellings of asks) {
        const accepted = answer.ok && spellings.map(() => answer.accepted[next++]).some(Boolean);
        const right = answer.ok && accepted !== refused.has(group);
        counts[group][0] += right ? 1 : 0;
        counts[group][1] += 1;
        if (right || group === "open" || group === "pretty") continue;
        isPerfect = false;
        if (answer.ok) misses.push(`${one.id}: ${accepted ? "accepts" : "refuses"} ${spellings[0].slice(0, 160)}`);
      }
    }
    if (isPerfect) counts.perfect++;
  }
  return { counts, misses };
}
