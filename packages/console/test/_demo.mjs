import { defineTool } from "@toolrack/core";

// A small shop's rack: tools of every kind, agents with and without rights, records that wait for review, calls of every outcome.

const object = (properties, required = Object.keys(properties)) => ({ type: "object", properties, required, additionalProperties: false });
const text = (description, more = {}) => ({ type: "string", description, ...more });

const findOrder = defineTool({
  name: "find_order",
  version: "2.1.0",
  description: "Finds an order by its number, or the newest orders of a customer.",
  inputSchema: object(
    {
      number: text("The order's number.", { pattern: "^[A-Z]{2}-\\d+$" }),
      customer: text("Mail address of the customer.", { format: "email" }),
      limit: { type: "integer", minimum: 1, maximum: 50, default: 10, description: "How many orders at most." },
      state: { enum: ["open", "paid", "shipped"], description: "Only orders in this state." },
      withItems: { type: "boolean", default: false, description: "Whether the items are listed too." },
    },
    [],
  ),
  outputSchema: object({
    orders: { type: "array", items: object({ number: text("Its number."), total: { type: "number", description: "In euros." } }) },
  }),
  metadata: {
    category: "shop",
    tags: ["orders", "read"],
    groups: ["shop"],
    usageHint: "Use it before anything is changed about an order.",
    annotations: { readOnly: true, idempotent: true },
    examples: [
      {
        description: "One order",
        input: { number: "TR-1042" },
        output: { orders: [{ number: "TR-1042", total: 59.9 }] },
        usage: "result.orders[0]",
      },
      { description: "What a customer has open", input: { customer: "ada@example.com", state: "open" } },
    ],
  },
  handler: ({ number = "TR-1042" }) => ({ orders: [{ number, total: 59.9 }] }),
});

const refund = defineTool({
  name: "refund",
  description: "Pays an amount back to the customer of an order.",
  inputSchema: object({ number: text("The order's number."), amount: { type: "number", exclusiveMinimum: 0, description: "In euros." } }),
  metadata: { category: "shop", groups: ["shop"], annotations: { destructive: true } },
  handler: ({ number, amount }) => `Paid ${amount} back for ${number}.`,
});

const settle = defineTool({
  name: "settle_complaint",
  description: "Looks an order up, writes to the customer and notes what was agreed.",
  inputSchema: object({ number: text("The order's number.") }),
  metadata: { category: "shop", groups: ["shop"] },
  async handler({ number }, { call }) {
    await call("find_order", { number });
    await pause(15);
    await call("write_mail", { to: "ada@example.com", body: "We are sorry." });
    return "Settled.";
  },
});

const writeMail = defineTool({
  name: "write_mail",
  description: "Writes a mail to a customer.",
  inputSchema: object({ to: text("Who gets it.", { format: "email" }), body: text("What it says.", { maxLength: 5000 }) }),
  metadata: { category: "messages", tags: ["outgoing"] },
  async handler({ to }) {
    await pause(25);
    return `Sent to ${to}.`;
  },
});

const report = defineTool({
  name: "nightly_report",
  description: "Adds up the day, slowly, and says how far it is.",
  inputSchema: object(
    {
      days: { type: "integer", minimum: 1, maximum: 31, default: 1, description: "How many days." },
      since: { anyOf: [text("A day.", { format: "date" }), { type: "integer", description: "So many days ago." }] },
      extra: { description: "Handed on as it is." },
    },
    [],
  ),
  metadata: { category: "reports", annotations: { readOnly: true } },
  async handler(_input, { progress, signal }) {
    for (let step = 1; step <= 3; step++) {
      progress({ progress: step, total: 3, message: `step ${step}` });
      await pause(100, signal);
    }
    return { orders: 12, turnover: 1849.5 };
  },
});

const chart = defineTool({
  name: "chart",
  description: "Draws numbers as a picture.",
  inputSchema: object({ values: { type: "array", items: { type: "number" }, description: "What is drawn." } }),
  metadata: { category: "reports", examples: [{ description: "Three bars", input: { values: [1, 3, 2] } }] },
  handler: () => [
    { type: "text", text: "Three bars." },
    { type: "image", data: onePixel, mimeType: "image/png" },
  ],
});

const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const translate = defineTool({
  name: "translate",
  description: "Translates a text with a service of your choice.",
  inputSchema: object({ text: text("What is translated."), into: text("A language, like de.") }),
  metadata: {
    category: "messages",
    secrets: ["translate-key"],
    configSchema: object(
      {
        endpoint: text("The service to ask.", { format: "uri" }),
        apiKey: text("The key for it.", { format: "password" }),
        model: { enum: ["fast", "exact"], default: "fast", description: "Which model translates." },
        temperature: { type: "number", minimum: 0, maximum: 1, multipleOf: 0.1, description: "How freely." },
        timeoutMs: { type: "integer", minimum: 100, description: "How long to wait." },
        keepNames: { type: "boolean", default: true, description: "Whether names stay as they are." },
        headers: { type: "object", description: "Sent with each request." },
      },
      ["endpoint", "apiKey"],
    ),
  },
  handler: ({ text: given }) => given,
});

const legacy = defineTool({
  name: "order_status",
  description: "The old way to ask for an order.",
  inputSchema: object({ number: text("The order's number.") }),
  metadata: { category: "shop", groups: ["shop"], deprecated: { since: "2.0.0", successor: "find_order" } },
  handler: () => "shipped",
});

const flaky = defineTool({
  name: "stock_level",
  description: "Asks the warehouse how many pieces are left.",
  inputSchema: object({ article: text("The article.") }),
  metadata: { category: "shop", groups: ["shop"], annotations: { readOnly: true } },
  handler() {
    throw new Error("The warehouse does not answer.");
  },
});

export const demoTools = [findOrder, refund, settle, writeMail, report, chart, translate, legacy, flaky];

export const demoConfig = {
  store: { memory: true },
  policy: {
    tools: { ask: ["refund"] },
    agents: {
      support: { tools: { deny: ["nightly_report"] } },
      analyst: { tools: { allow: ["find_order", "nightly_report", "chart", "stock_level"] } },
    },
  },
  agents: { support: { description: "Answers customers" }, analyst: { description: "Reads the numbers" }, night: {} },
  bundles: { service: { description: "For those who talk to customers", required: ["find_order", "write_mail"], optional: ["refund"] } },
  // Nothing listens there: a source that fails shows how that looks.
  sources: { docs: { url: "http://127.0.0.1:9/mcp" } },
};

/** Uses the rack for a while: calls of every outcome, a definition that waits, one that was changed. */
export async function useDemo(url, owner) {
  const send = async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...owner, "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return response.status === 204 ? undefined : response.json();
  };
  const call = (tool, input, agent) => send("POST", `/tools/${tool}/call`, { input, runAs: { agent } });
  await Promise.all([
    ...Array.from({ length: 6 }, (_, index) => call("find_order", { number: `TR-${1040 + index}` }, "support")),
    call("write_mail", { to: "ada@example.com", body: "Thank you." }, "support"),
    call("nightly_report", { days: 1 }, "analyst"),
    call("stock_level", { article: "lamp" }, "analyst"),
    call("find_order", { number: "1042", limit: 99 }, "night"),
  ]);
  await call("settle_complaint", { number: "TR-1042" }, "support");
  for (const [name, state] of [
    ["send_letter", "approved"],
    ["send_fax", "draft"],
  ]) {
    const id = `tool-def-${name}`;
    const where = { address: text("Where it goes.") };
    await send("POST", "/breadcrumbs", { id, ...definition(name, "approved", "Sends it to a customer.", where) });
    const next = definition(name, state, "Sends it to a customer, also abroad.", { ...where, country: text("ISO code.") });
    await send("PUT", `/breadcrumbs/${id}`, next, { "if-match": '"1"' });
    if (state !== "approved") continue;
    await send("POST", `/lifecycle/${id}/validate`);
    const { definitions } = await send("GET", "/lifecycle");
    const { hash } = definitions.find((one) => one.id === id);
    await send("POST", `/lifecycle/${id}/approve`, { reason: "Letters go abroad, too.", hash });
  }
}

function definition(name, state, description, properties) {
  return {
    schema_name: "tool.definition.v1",
    title: name,
    tags: ["tool:definition", "workspace:tools"],
    context: {
      name,
      description,
      inputSchema: object(properties),
      implementation: { kind: "http", method: "POST", endpoint: `https://mail.example.com/${name}` },
      state,
    },
  };
}

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), { once: true });
  });
}
