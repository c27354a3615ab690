import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * One server of a cluster, with a tool that writes into a journal what it really did. Started with
 * `{ modules, config, folder, environment, journal, clockOffsetMs, port }`; tells its URL, or why it did not start.
 */
process.once("message", async ({ modules, config, folder, environment, journal, clockOffsetMs = 0, port = 0 }) => {
  if (clockOffsetMs !== 0) shiftClock(clockOffsetMs);
  try {
    const [{ openServer }, { defineTool }] = await Promise.all([import(modules.server), import(modules.core)]);
    const mark = defineTool({
      name: "mark",
      description: "Writes down that it ran.",
      inputSchema: {
        type: "object",
        properties: { token: { type: "string" }, ms: { type: "number" } },
        required: ["token"],
      },
      async handler({ token, ms = 0 }, { callId, signal }) {
        appendFileSync(journal, `${token} ${callId}\n`);
        if (ms > 0) await sleep(ms, undefined, { signal });
        return { token };
      },
    });
    const ask = defineTool({
      name: "ask",
      description: "Asks the person in front of the client.",
      inputSchema: { type: "object" },
      async handler(_input, context) {
        const answer = await context.ask({ message: "Go on?", schema: { type: "object", properties: { yes: { type: "boolean" } } } });
        return { action: answer.action };
      },
    });
    const log = Object.fromEntries(["debug", "info", "warn", "error"].map((level) => [level, logTo(level)]));
    const served = await openServer({ config, folder, environment, tools: [mark, ask], log, port, consoleFolder: false });
    process.once("SIGTERM", () => void served.close().then(() => process.exit(0)));
    process.send({ url: served.url, name: served.rack.servers.name });
    process.on("message", () => process.send({ usage: usageOf() }));
  } catch (error) {
    process.send({ failed: String(error?.message ?? error) });
  }
});
process.once("disconnect", () => process.exit(0));

function logTo(level) {
  const shown = process.env.FAULTS_LOG === "1";
  return (message, fields) => shown && process.stderr.write(`${level} ${message} ${JSON.stringify(fields ?? {})}\n`);
}

function usageOf() {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return { rss, heapUsed, handles: process.getActiveResourcesInfo().length };
}

/** What a machine does whose clock is wrong: every reading of it is. */
function shiftClock(offsetMs) {
  const Real = Date;
  globalThis.Date = class extends Real {
    constructor(...values) {
      super(...(values.length === 0 ? [Real.now() + offsetMs] : values));
    }
    static now() {
      return Real.now() + offsetMs;
    }
  };
}
