import { type AnyTool, defineTool, type ToolSource } from "@toolrack/core";
import { openTestRack } from "@toolrack/testkit/test-rack";
import type { OpenRackOptions, Rack } from "@toolrack/server";

type RackConfig = Exclude<OpenRackOptions["config"], string | undefined>;

/** What an upstream says about a tool. */
export interface Said {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: object;
  readonly outputSchema?: Record<string, unknown>;
  readonly title?: string;
  readonly annotations?: { readonly readOnly?: boolean; readonly destructive?: boolean };
}

export const findOrders: Said = {
  name: "find_orders",
  description: "Finds orders by the name of a customer.",
  inputSchema: { type: "object", properties: { customer: { type: "string", description: "The name." } }, required: ["customer"] },
};

/** A source that lists what it is told to; every list is of new objects. */
export interface ChangingSource extends ToolSource {
  /** Lists other tools from now on, and reports the change. */
  say(...tools: readonly Said[]): Promise<void>;
}

export interface Changing {
  readonly rack: Rack;
  readonly shop: ChangingSource;
  names(): readonly string[];
  readonly calls: unknown[];
}

/** A rack with the source "mcp:shop", which is in the settings and so is not our own code. */
export async function openChanging(
  tools: readonly Said[],
  { config = {}, trust, ...more }: { readonly config?: RackConfig; readonly trust?: object } & Omit<OpenRackOptions, "config"> = {},
): Promise<Changing> {
  const sources = { shop: { url: "https://shop.example/mcp", ...(trust && { trust }) } };
  const rack = await openTestRack({ startSources: false, ...more, config: { ...config, sources: { ...sources, ...config.sources } } });
  const calls: unknown[] = [];
  const shop = changingSource(rack, "mcp:shop", tools, { calls });
  await rack.registry.addSource(shop);
  return { rack, shop, calls, names: () => namesOf(rack, "mcp:shop") };
}

export function namesOf(rack: Rack, source: string): readonly string[] {
  return rack.registry.sources().find(({ id }) => id === source)?.tools ?? [];
}

export function changingSource(
  rack: Pick<Rack, "registry">,
  id: string,
  tools: readonly Said[],
  { identity = "one", calls = [] }: { readonly identity?: string; readonly calls?: unknown[] } = {},
): ChangingSource {
  let said = tools;
  return {
    id,
    identity,
    list: () => said.map((one) => toTool(one, calls)),
    async say(...next) {
      said = next;
      await rack.registry.refreshSource(id);
    },
  };
}

function toTool({ name, description = "", inputSchema = { type: "object" }, annotations, ...more }: Said, calls: unknown[]): AnyTool {
  return defineTool({
    name,
    description,
    inputSchema,
    ...more,
    ...(annotations && { metadata: { annotations } }),
    handler: (input: unknown) => {
      calls.push(input);
      return { done: true };
    },
  });
}
