import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";

/** The packs that work on databases, records, notes and the network, the last of them faked. */
export const servicePacks = [
  { name: "web", open: openWeb },
  { name: "memory", open: openMemory },
  { name: "commerce", open: openCommerce },
  { name: "utility", open: openUtility },
];

/** Where texts end up in statements, addresses, headers and paths. */
const texts = [
  "running shoes",
  "' or '1'='1",
  "'; drop table shop_products; --",
  "$1",
  "%",
  "../../etc/passwd",
  "http://127.0.0.1/",
  "line\r\nx-injected: 1",
  "__proto__",
  "\0",
  "\ud800",
  "{{7*7}}",
  "𝕬🦄é",
];

const capabilities = { knows: () => true, has: () => true, remedy: () => "", names: () => [] };
const secrets = { has: () => true, get: async () => "a-secret-value" };

/** A network that answers in every way that one can answer, and is never reached. */
function fakeHttp(body) {
  let count = 0;
  const answers = [
    () => [200, "application/json", JSON.stringify(body)],
    () => [200, "application/json", "{"],
    () => [200, "text/html; charset=latin1", "<p>hello <b>there"],
    () => [200, "image/png", "\u0001"],
    () => [200, "application/json", "null"],
    () => [429, "application/json", '{"error":"later"}'],
    () => [500, "text/plain", ""],
    () => [302, "text/plain", ""],
  ];
  return {
    made: () => count,
    async request(url) {
      const [status, type, text] = answers[count++ % answers.length]();
      const bytes = new TextEncoder().encode(text);
      const from = URL.canParse(url) ? url : "http://faked.example/";
      return { url: from, status, ok: status === 200, headers: { "content-type": type, "retry-after": "x" }, bytes, text: () => text };
    },
  };
}

function openWeb(tools) {
  const http = fakeHttp({ results: [{ title: "a", url: "https://example.com/", content: "b" }, { url: 5 }] });
  const readPage = async ({ html }) => ({ content: html });
  const search = { backend: "searxng", baseUrl: "http://faked.example" };
  return {
    tools: tools.createWebTools({ search, operations: { http, readPage } }),
    texts,
    registry: { capabilities },
    world: () => "",
    requests: http.made,
  };
}

function openMemory(tools) {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-fuzz-notes-"));
  writeFileSync(join(folder, "tea.md"), "# Tea\n\nThe supplier is in Assam.\n");
  return {
    tools: tools.createMemoryTools({ folder, breadcrumbs: () => fakeRecords() }),
    texts,
    hints: { note: ["tea.md", "record:a", "../tea.md", "tea.md/x.md", "record:"] },
    world: () => readdirSync(folder).join(),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function openCommerce(tools) {
  const database = new DatabaseSync(":memory:");
  const session = tools.createSqliteSession(database, "alpha");
  await tools.fillSampleShop(session, { products: 50 });
  const products = database.prepare("select count(*) as number from shop_products").get().number;
  const http = fakeHttp({ url: "https://pay.example/", expires_at: 2_000_000_000 });
  return {
    tools: tools.createCommerceTools({ operations: { http } }),
    texts,
    hints: {
      product_id: ["prd-0001", "prd-0002", "prd-0015"],
      order_id: ["ord-1001"],
      customer_email: ["ada@example.com"],
      code: ["WELCOME10", "FRIENDS50"],
      discount_code: ["WELCOME10"],
    },
    registry: { capabilities, secrets, services: () => session, config: { get: () => ({ successUrl: "https://shop.example/" }) } },
    between: () =>
      database.prepare("select count(*) as number from shop_products").get().number === products ? undefined : "the catalog was changed",
    world: () => rowsOf(database),
    requests: http.made,
    close: () => database.close(),
  };
}

function rowsOf(database) {
  const tables = database.prepare("select name from sqlite_master where type = 'table' order by name").all();
  return JSON.stringify(tables.map(({ name }) => database.prepare(`select * from ${name} order by rowid`).all()));
}

function openUtility(tools) {
  const http = fakeHttp({ model: "m", choices: [{ message: { content: "hi" } }], usage: { prompt_tokens: 1 } });
  const records = fakeRecords();
  const options = {
    breadcrumbs: () => records,
    approve: (_context, id) => records.get(id).then((record) => record ?? Promise.reject(new Error("There is no such record."))),
    operations: { http, wait: async () => {} },
  };
  return {
    tools: tools.createUtilityTools(options),
    texts: [...texts, "1 + 2 * (3", "sqrt(2)", "items[*].name", "a..b"],
    hints: { id: ["a"] },
    world: () => String(records.written()),
    requests: http.made,
    registry: { capabilities, secrets, config: { get: (tool) => (tool === "openrouter" ? { defaultModel: "m" } : undefined) } },
  };
}

/** One record that is there, and stays as it is. */
function fakeRecords() {
  const one = {
    id: "a",
    schema_name: "note.v1",
    title: "A",
    tags: [],
    context: { text: "tea" },
    version: 1,
    updated_at: "2026-01-01T00:00:00.000Z",
  };
  let written = 0;
  return {
    written: () => written,
    get: async (id) => (id === "a" ? one : undefined),
    async put(draft) {
      if (draft.id === "a" && draft.version === undefined) return { ok: false, code: "conflict", message: "It is there." };
      written++;
      return { ok: true, record: { ...one, ...draft } };
    },
    search: async () => ({ records: [one] }),
  };
}
