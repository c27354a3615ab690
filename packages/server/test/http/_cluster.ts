import { join } from "node:path";
import { defineTool } from "@toolrack/core";
import { mcpClient } from "@toolrack/mcp";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { createDatabase } from "@toolrack/testkit/databases";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { until } from "@toolrack/testkit/until";
import { turns } from "@toolrack/testkit/turns";
import type { RackConfig } from "../../src/config/config.ts";
import { openRack } from "../../src/rack/open.ts";
import type { Rack } from "../../src/rack/rack.ts";
import { serve, type Served } from "../../src/serve.ts";

const policy: RackConfig["policy"] = { agents: { anna: {}, eve: {} } };

/** Servers on one store. */
export interface Cluster {
  readonly servers: readonly (Served & { readonly rack: Rack })[];
  readonly keys: { readonly anna: string; readonly otherOfAnna: string; readonly eve: string };
  /** Which server began, and which cancelled, each held call: by the number that the call was given. */
  readonly began: Map<number, number>;
  readonly cancelled: Map<number, number>;
}

/** A connection string, or "SQLite". */
export type Engine = string;

async function place(engine: Engine): Promise<{ environment: Record<string, string>; config: RackConfig }> {
  if (engine === "SQLite") {
    return { environment: {}, config: { store: { sqlite: join(temporaryFolder(), "a.db") }, policy } };
  }
  return { environment: { DATABASE_URL: await createDatabase({ connectionString: engine }) }, config: { policy } };
}

export async function startCluster(engine: Engine, config: RackConfig = {}, count = 3): Promise<Cluster> {
  const { environment, config: stored } = await place(engine);
  const began = new Map<number, number>();
  const cancelled = new Map<number, number>();
  const servers: (Served & { rack: Rack })[] = [];
  for (let index = 0; index < count; index++) {
    const hold = defineTool({
      name: "hold",
      description: "Runs until it is cancelled.",
      inputSchema: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] },
      handler: ({ number }, { signal }) => {
        began.set(number, index);
        return new Promise<string>((_, reject) => {
          signal.addEventListener("abort", () => {
            cancelled.set(number, index);
            reject(signal.reason as Error);
          });
        });
      },
    });
    const ask = defineTool({
      name: "ask",
      description: "Asks for a name.",
      inputSchema: { type: "object" },
      async handler(_input, context) {
        const requestedSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
        const answer = await mcpClient(context)!.elicit({ message: "What is your name?", requestedSchema });
        return answer.action === "accept" ? `${String(answer.content["name"])} on ${index}` : answer.action;
      },
    });
    const level = defineTool({
      name: "level",
      description: "Logs something.",
      inputSchema: { type: "object" },
      handler: (_input, context) => {
        mcpClient(context)!.log("info", `logged on ${index}`);
        return "logged";
      },
    });
    const leave = defineTool({
      name: "leave",
      description: "Ends the connection before it answers, so that the client has to come again for the result.",
      inputSchema: { type: "object" },
      async handler(_input, context) {
        mcpClient(context)!.closeStream();
        await turns();
        return `answered by ${index}`;
      },
    });
    const long = defineTool({
      name: "long",
      description: "Answers with more than fits on a page.",
      inputSchema: { type: "object" },
      handler: () => Array.from({ length: 3 }, (_, page) => String(page + 1).repeat(65_536)).join(""),
    });
    const rack = await openRack({ environment, config: { ...stored, ...config }, tools: [hold, ask, level, leave, long] });
    const served = await serve(rack, { port: 0, consoleFolder: false });
    afterThisTest(() => served.close({ graceMs: 0 }));
    servers.push({ ...served, rack });
  }
  const makeKey = async (agent: string): Promise<string> => (await servers[0]!.rack.keys.create({ agent, roles: [], by: "test" })).secret;
  const keys = { anna: await makeKey("anna"), otherOfAnna: await makeKey("anna"), eve: await makeKey("eve") };
  for (const { rack } of servers) await until(async () => (await rack.keys.verify(keys.eve)) !== undefined);
  return { servers, keys, began, cancelled };
}
