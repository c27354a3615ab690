import { fork } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const child = fileURLToPath(new URL("./server-child.mjs", import.meta.url));
const masterKey = Buffer.alloc(32, 5).toString("base64");

/**
 * Servers on one store, each a process of its own, and the journal of what their tools really did. `store` is the part of the
 * configuration, `environment` what names the database; `prepare` fills the folder of each server, which they share without it.
 */
export function createCluster(modules, { store, environment = {}, config = {}, storeFolder, prepare }) {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-faults-"));
  const journal = join(folder, "journal");
  const servers = [];
  const own = {
    ...(store && { store }),
    agents: { caller: {} },
    policy: { unknownAgents: "deny" },
    tools: { packs: { utility: false, sessions: false } },
    ...config,
    server: { limits: { requestsPerSecond: 1_000_000, streamsPerCaller: 2_000, streams: 2_000 }, ...config.server },
  };

  async function start(index, options = {}) {
    const home = storeFolder ?? join(folder, prepare === undefined ? "home" : `home-${index}`);
    mkdirSync(home, { recursive: true });
    prepare?.(home);
    const process_ = fork(child, [], { execArgv: ["--expose-gc"], stdio: ["ignore", "inherit", "inherit", "ipc"] });
    const ended = new Promise((resolve) => process_.once("exit", resolve));
    const told = new Promise((resolve, reject) => {
      process_.once("message", resolve);
      process_.once("exit", (code) => reject(new Error(`A server ended with ${code} before it was ready.`)));
    });
    const variables = { TOOLRACK_MASTER_KEY: masterKey, PATH: process.env.PATH, HOME: folder, ...environment };
    process_.send({ modules, config: own, folder: home, journal, environment: variables, ...options });
    const answer = await told;
    servers[index] = { process: process_, ended, ...answer };
    return servers[index];
  }

  return {
    folder,
    servers,
    start,
    /** Lines of the journal: `{ token, callId }` for every time that the tool ran. */
    ran() {
      const lines = readFileSync(journal, { encoding: "utf8", flag: "a+" }).split("\n").filter(Boolean);
      return lines.map((line) => line.split(" ")).map(([token, callId]) => ({ token, callId }));
    },
    async usage(index) {
      const server = servers[index].process;
      const told = new Promise((resolve) => server.once("message", resolve));
      server.send("usage");
      return (await told).usage;
    },
    async kill(index, signal = "SIGKILL") {
      servers[index].process.kill(signal);
      await servers[index].ended;
    },
    signal: (index, signal) => servers[index].process.kill(signal),
    masterKey,
    async close() {
      for (const server of servers) {
        if (server === undefined || server.process.exitCode !== null) continue;
        server.process.kill("SIGCONT");
        server.process.kill("SIGTERM");
        const timer = setTimeout(() => server.process.kill("SIGKILL"), 20_000);
        await server.ended;
        clearTimeout(timer);
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
