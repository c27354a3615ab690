import { createWriteStream, rmSync } from "node:fs";
import { forecast, inputSchema, otherTools, policy } from "./setting.mjs";

/** Started by measure-servers.mjs with `{ kind, modules, folder }`; tells its port, then its CPU time or heap as often as it is asked. */
process.once("message", async ({ kind, modules, folder }) => {
  const port = await starters[kind](modules, folder);
  process.on("message", (question) => process.send(question === "cpu" ? process.cpuUsage() : heap()));
  process.send({ port });
});
process.once("disconnect", () => process.exit(0));

const starters = {
  hono: startHono,
  fastify: startFastify,
  memory: (modules) => startToolrack(modules, { memory: true }),
  sqlite: (modules, folder) => startToolrack(modules, { sqlite: `${folder}/bench.db` }),
  logged: (modules, folder) => startToolrack(modules, { sqlite: `${folder}/logged.db` }, createWriteStream("/dev/null")),
};

async function startHono({ schema }) {
  const [{ Hono }, { serve }, { validateValue }] = await Promise.all([import("hono"), import("@hono/node-server"), import(schema)]);
  const app = new Hono();
  app.post("/forecast", async (context) => {
    const checked = validateValue(inputSchema, await context.req.json());
    return checked.ok ? context.json({ ok: true, data: forecast(checked.value) }) : context.json({ issues: checked.issues }, 400);
  });
  return new Promise((resolve) => serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => resolve(port)));
}

async function startFastify() {
  const { fastify } = await import("fastify");
  const app = fastify();
  app.post("/forecast", { schema: { body: inputSchema } }, async (request) => ({ ok: true, data: forecast(request.body) }));
  await app.listen({ port: 0, host: "127.0.0.1" });
  return app.server.address().port;
}

/** Without a log, unless lines have somewhere to go. */
async function startToolrack({ server, core }, store, destination) {
  const [{ createLog, openRack, serve }, { defineTool }] = await Promise.all([import(server), import(core)]);
  if (store.sqlite !== undefined) rmSync(store.sqlite, { force: true });
  const tools = [{ name: "forecast", description: "Tells the weather.", inputSchema, handler: forecast }, ...otherTools].map((tool) =>
    defineTool(tool),
  );
  const rack = await openRack({
    environment: {},
    config: { store, policy, tools: { packs: { utility: false, sessions: false } } },
    tools,
    ...(destination && { log: createLog({ destination }) }),
  });
  const served = await serve(rack, {
    port: 0,
    consoleFolder: false,
    limits: { requestsPerSecond: 1_000_000, streamsPerCaller: 20_000, streams: 20_000 },
  });
  return served.port;
}

function heap() {
  for (let time = 0; time < 4; time++) globalThis.gc();
  return process.memoryUsage();
}
