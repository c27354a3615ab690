// What handlers receive: services, saved configuration and secrets.
// #region imports
import assert from "node:assert/strict";
import { type CallContext, createMemoryConfig, createMemorySecrets, createRegistry, defineTool } from "@toolrack/core";
// #endregion

// #region services
interface Services {
  readonly orders: { total(customer: string): Promise<number> };
}

const spent = defineTool({
  name: "spent",
  description: "Tells what a customer has spent.",
  inputSchema: { type: "object", properties: { customer: { type: "string" } }, required: ["customer"] },
  metadata: { services: ["orders"] },
  handler: async ({ customer }, context: CallContext<Services>) => String(await context.services.orders.total(customer)),
});
// #endregion

// #region secrets
const send = defineTool({
  name: "send_mail",
  description: "Sends a message.",
  inputSchema: {
    type: "object",
    properties: { to: { type: "string" }, text: { type: "string" }, from: { type: "string" } },
    required: ["to", "text", "from"],
  },
  metadata: { secrets: ["MAIL_KEY"] },
  async handler({ to, from }, context) {
    const key = await context.secret("MAIL_KEY"); // only what metadata.secrets names
    const { server } = context.config as { server: string };
    return `${from} wrote to ${to} through ${server} with a key of ${key.length} letters`;
  },
});
// #endregion

// #region registry
const secrets = createMemorySecrets();
const registry = createRegistry({
  services: (): Services => ({ orders: { total: async (customer) => customer.length * 100 } }), // opened for each call
  closeServices: (_services, result) => console.log(result.ok ? "commit" : "roll back"),
  config: createMemoryConfig({ send_mail: { server: "mail.example.com", from: "shop@example.com" } }),
  secrets,
});
registry.register(spent);
registry.register(send);
// #endregion

// #region refused
assert.throws(() => {
  // @ts-expect-error -- Type 'undefined' is not assignable to type 'Services'.
  createRegistry().register(spent);
}, /Tool "spent" needs the service "orders", and this registry has no services\./);
// #endregion

const total = await registry.invoke("spent", { customer: "ada" });
console.log(total.ok && total.content);
assert(total.ok && total.content === "300");

// Without its secret a tool is not offered, and a call says what is missing.
// #region missing
console.log(
  registry
    .entries()
    .map(({ tool, state, reason = "" }) => `${tool.name}: ${state} ${reason}`.trimEnd())
    .join("\n"),
);
// #endregion
const early = await registry.invoke("send_mail", { to: "bob@example.com", text: "Hello" });
assert(!early.ok && early.code === "NEEDS_CONFIGURATION");

secrets.set("MAIL_KEY", "abcdef");
// `from` is filled in from the saved configuration, because it is a parameter and the call does not give it.
const sent = await registry.invoke("send_mail", { to: "bob@example.com", text: "Hello" });
assert(sent.ok);
console.log(sent.content);
