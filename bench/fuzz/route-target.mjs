/** Where nothing listens. */
const closedPort = "127.0.0.1:9";

/** Routes by which an admin would have the server open connections or start programs. */
const outward = new Set(["putSource", "approveSource", "refreshSource"]);

/**
 * A server without a port that holds secrets, calls and callers of every kind. `ask` sends a request into it; what does not answer within
 * `answerMs` is a fault, and an event stream is left after its beginning.
 */
export async function openFuzzTarget({ openRack, createApp, defineTool }, { answerMs = 20_000 } = {}) {
  const secret = "hunter22-fuzz-secret-value";
  // What was unexpected is told, so that it can be mended.
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: (message, { error } = {}) => error && console.error(message, error) };
  const rack = await openRack({
    environment: { TOOLRACK_MASTER_KEY: Buffer.alloc(32, 7).toString("base64") },
    config: {
      store: { memory: true },
      policy: { unknownAgents: "allow" },
      tools: { packs: { utility: true } },
      limits: { timeoutMs: 2_000 },
      hooks: { allowHosts: [closedPort] },
    },
    log,
    tools: [
      defineTool({
        name: "fails",
        description: "Fails.",
        inputSchema: { type: "object", properties: {} },
        handler: () => {
          throw new Error(`a message with ${secret}`);
        },
      }),
    ],
  });
  const app = createApp(rack, { limits: { requestsPerSecond: 1_000_000 } });
  await rack.secrets.set("FUZZ", secret);
  // Most routes about a thing answer with 404 unless there is one.
  const { schedules, triggers, endpoints, receivers } = rack.automation;
  const caller = { agent: "fuzz", roles: ["curator"] };
  await schedules.add({ id: "fuzz", spec: { tool: "echo", input: { message: "fuzz" }, everyMs: 86_400_000 }, caller, by: "fuzz" });
  await triggers.add({ id: "fuzz", spec: { tool: "echo", on: { schema_name: "fuzz.v1" } }, caller, by: "fuzz" });
  const webhook = await endpoints.add("fuzz", { url: `http://${closedPort}/`, on: { schema_name: "fuzz.v1" } }, "fuzz");
  const hook = await receivers.add("fuzz", { tool: "echo", agent: "fuzz" }, "fuzz");
  const keys = new Map();
  for (const [name, roles] of Object.entries(rolesOf))
    keys.set(name, (await rack.keys.create({ agent: "fuzz", roles, by: "fuzz" })).secret);

  async function ask({ method, path, headers, body, caller }) {
    const leaving = AbortSignal.timeout(answerMs);
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: { ...(caller !== "nobody" && { authorization: `Bearer ${keys.get(caller)}` }), ...headers },
      ...(body !== undefined && body !== "" && { body }),
      signal: leaving,
    });
    const late = new Promise((_, reject) => leaving.addEventListener("abort", () => reject(new Error(`nothing within ${answerMs} ms`))));
    late.catch(() => undefined);
    const response = await Promise.race([app.fetch(request, { remoteAddress: "127.0.0.1" }), late]);
    const type = response.headers.get("content-type") ?? "";
    if (type.startsWith("text/event-stream")) {
      await response.body?.cancel();
      return { status: response.status, type, text: "" };
    }
    return { status: response.status, type, text: await response.text() };
  }

  return {
    ask,
    secrets: [secret, webhook.secret, hook.secret],
    // Half of the requests come from whoever may do most: a refusal at the door tries nothing of what is behind it.
    callers: [...keys.keys(), "nobody", ...Array.from(keys.keys(), () => "admin")],
    /** Ids of routes that are left out. */
    outward,
    safe: (routes) => routes.filter(({ id }) => !outward.has(id)),
    async close() {
      await app.close();
      await rack.close();
    },
  };
}

const rolesOf = {
  plain: [],
  emitter: ["emitter"],
  subscriber: ["subscriber"],
  curator: ["curator"],
  admin: ["admin", "curator", "subscriber", "emitter"],
};
