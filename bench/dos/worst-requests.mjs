/**
 * The requests of a caller without any role that cost the server most. Each answers `{ method, path, body }`; `number` counts the copies that
 * are sent at once, so that nothing is answered from what is kept.
 */
export const worstRequests = [
  { name: "nothing (the other caller alone)", make: undefined },
  { name: "usage of everything, by the second", make: (number) => get(`/usage?from=0&to=${now() + number}&bucketMs=${now()}`) },
  { name: "usage of a day", make: (number) => get(`/usage?bucketMs=${60_000 + number}`) },
  { name: "the log, 500 calls a page", make: (number) => get(`/calls?limit=500&before=${1_000_000 + number}`) },
  { name: "the log, from the future", make: (number) => get(`/calls?from=${9e14 + number}`) },
  {
    name: "json_transform: filter 2,000 items by a large value",
    make: (number) => {
      const value = Array.from({ length: 20_000 }, (_, index) => index + number);
      const data = Array.from({ length: 2_000 }, (_, index) => ({ list: [index] }));
      return call("json_transform", { data, operation: "filter", condition: { json_path: "list", op: "eq", value } });
    },
  },
  {
    name: "json_transform: map everything to 100 keys",
    make: (number) => {
      const mapping = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, "[*].a[*]"]));
      return call("json_transform", {
        data: Array.from({ length: 50 }, () => Array.from({ length: 300 }, () => ({ a: [number] }))),
        operation: "map",
        mapping,
      });
    },
  },
  {
    name: "json_transform: a megabyte looked for in two",
    make: (number) => {
      const text = "a".repeat(1_000_000);
      return call("json_transform", {
        data: [`${text}${text}${number}`],
        operation: "filter",
        condition: { op: "contains", value: `b${text}` },
      });
    },
  },
  {
    name: "json_transform: sort a million numbers",
    make: () => call("json_transform", { data: Array.from({ length: 1_000_000 }, (_, index) => (index * 7) % 10), operation: "sort" }),
  },
  {
    name: "logit: 30 tools with 40 ranges each",
    make: (number) => call("logit", { action: "generate_tool_call", tools: toolsWith(ranges, number) }),
  },
  {
    name: "logit: 30 tools with steps and patterns",
    make: (number) => call("logit", { action: "generate_tool_call", tools: toolsWith(patterns, number) }),
  },
  { name: "calculator: 2,000 characters", make: (number) => call("calculator", { expression: `${number}${"+sin(1)".repeat(280)}` }) },
  {
    name: "search with as many words as an address holds",
    make: (number) => get(`/search?q=${Array.from({ length: 2_000 }, (_, index) => `w${index + number}`).join("+")}&limit=200`),
  },
  { name: "an export for every tool", make: () => get("/exports/openai") },
  { name: "a grammar of every tool", make: () => get("/exports/grammars/lark") },
  { name: "a body of 4 MB, deep and wide", make: (number) => call("echo", { message: "x".repeat(3_900_000) + number }) },
  {
    name: "a body of 4 MB that is no JSON",
    make: () => ({ method: "POST", path: "/api/v1/tools/echo/call", body: `[${"1,".repeat(1_900_000)}` }),
  },
  {
    name: "records found by two words that exclude each other",
    make: (number) => get(`/breadcrumbs?text=apple+pear&limit=${100 + number}`),
  },
];

const now = () => Date.now();

function get(path) {
  return { method: "GET", path: `/api/v1${path}` };
}

function call(tool, input) {
  return { method: "POST", path: `/api/v1/tools/${tool}/call`, body: JSON.stringify({ input }) };
}

function toolsWith(properties, number) {
  return Array.from({ length: 30 }, (_, index) => ({
    name: `t${index}`,
    input_schema: { type: "object", properties: properties(index * 100 + number) },
  }));
}

function ranges(from) {
  return Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`n${index}`, { type: "integer", minimum: from + index, maximum: 98_765_432 + from * index }]),
  );
}

function patterns(from) {
  return {
    step: { type: "number", multipleOf: 997 + from, minimum: 1.2345, maximum: 987_654_321 + from },
    text: { type: "string", pattern: `a.{10}b${from}|c.{9}d` },
    keys: { type: "object", patternProperties: { [`^a.{20}z${from}`]: { type: "number", multipleOf: 37 }, "x.*y.*z": {} } },
  };
}
