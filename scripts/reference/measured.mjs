/**
 * The rows of the README's table of measurements: which cells of which kept table they show.
 * `ours` and `others` are names of rows, `column` is what is shown of them; with `row` they are names of columns.
 */
const rows = [
  {
    what: "required tests of the JSON Schema suite, 2020-12",
    bench: "schema",
    table: "The official JSON-Schema-Test-Suite",
    column: "passed",
    ours: "Toolrack, 2020-12",
    others: { ajv: "ajv, 2020-12", typebox: "typebox, 2020-12" },
  },
  {
    what: "a valid call of a registered tool, validated and run",
    bench: "call",
    table: "A valid call",
    column: "CPU time",
    ours: "Toolrack invoke",
    others: {
      "a check by ajv and the bare handler": "ajv check + bare handler",
      Mastra: "Mastra (Zod) (Node 24.21.0)",
      "OpenAI Agents": "OpenAI Agents",
      "AI SDK": "AI SDK (Zod) (Node 24.21.0)",
      LangChain: "LangChain (Zod)",
    },
  },
  {
    what: "calls a second over HTTP, 100 at a time, with policy, validation and an audit on SQLite",
    bench: "serve",
    table: "Calls over 100 connections",
    column: "calls/s",
    ours: "Toolrack on SQLite",
    others: { "a bare hono route": "a bare hono route", "a bare Fastify route": "a bare Fastify route" },
  },
  ...["tools/call", "tools/list"].map((method) => ({
    what: `MCP: \`${method}\` with 1,000 tools, policy and validation`,
    bench: "mcp",
    table: `${method}, 1,000 tools`,
    column: "CPU time",
    ours: "Toolrack",
    others: { "a bare handler": "a bare handler", "the SDK's server": "SDK 2.4, McpServer", fastmcp: "fastmcp" },
  })),
  {
    what: "a policy over 10,000 tools",
    bench: "policy",
    table: "10,000 tools",
    column: "CPU time",
    ours: "applyToolPolicyPipeline",
    others: { "a fold over every entry": "a fold over every entry" },
  },
  ...[
    { what: "searching 10,000 tools, 99 requests in 100", table: "10,000 tools", row: "a query, 99 in 100" },
    { what: "right tools among the first five of 20,086", table: "5 sets", row: "recall@5, 20,086 tools together" },
  ].map((shown) => ({ ...shown, bench: "search", ours: "Toolrack", others: { MiniSearch: "MiniSearch", "SQLite FTS5": "SQLite FTS5" } })),
  ...["SQLite", "PostgreSQL"].map((engine) => ({
    what: `two words and a tag among 100,000 records on ${engine}, 95 searches in 100`,
    bench: "store",
    table: `${engine}, 100000 definitions`,
    column: "p95",
    ours: "search, two words and a tag",
    others: {},
  })),
  {
    what: "schemas that OpenAI takes in strict form, with nothing valid lost",
    bench: "vendors",
    table: "Schemas usable",
    column: "usable",
    ours: "openai-strict",
    others: {},
  },
  {
    what: "schemas whose grammar is without a fault, judged by llama.cpp",
    bench: "grammar",
    table: "schemas.jsonl",
    column: "perfect",
    ours: "Toolrack, judged by llama.cpp",
    others: { "XGrammar's own converter": "XGrammar's own converter" },
  },
  {
    what: "importing the library",
    bench: "import",
    table: "Import",
    column: "CPU time",
    ours: "@toolrack/core",
    others: { "AI SDK": "AI SDK (ai)", LangChain: "LangChain (@langchain/core/tools)" },
  },
  {
    what: "packages that installing the library brings",
    bench: "import",
    table: "Packages that an installation brings",
    column: "packages",
    ours: "@toolrack/core",
    others: {},
  },
];

/** The table, from what bench/results keeps; `read` answers a file's text. */
export function measuredTable(read) {
  return [
    "| what | Toolrack | others, measured in the same run | by |",
    "| --- | --- | --- | --- |",
    ...rows.map(({ what, bench, table, column, row, ours, others }) => {
      const cell = cellsOf(JSON.parse(read(`bench/results/${bench}.json`)), table);
      const show = (name) => (row === undefined ? cell(name, column) : cell(row, name));
      const beside = Object.entries(others).map(([name, shown]) => `${name} ${show(shown)}`);
      return `| ${what} | ${show(ours)} | ${beside.join(", ")} | \`npm run bench:${bench}\` |`;
    }),
  ].join("\n");
}

function cellsOf({ name, tables }, caption) {
  const table = tables.find((one) => one.caption.startsWith(caption));
  if (table === undefined) throw new Error(`bench/results/${name}.json has no table "${caption}".`);
  return (first, column) => {
    const at = table.columns.indexOf(column);
    if (at === -1) throw new Error(`bench/results/${name}.json has no column "${column}" in its table "${caption}".`);
    const row = table.rows.find(([cell]) => cell === first);
    if (row === undefined) throw new Error(`bench/results/${name}.json has no row "${first}".`);
    return row[at];
  };
}
