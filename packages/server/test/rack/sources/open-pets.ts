import type { Clock } from "@toolrack/core/node";
import { openTestRack } from "@toolrack/testkit/test-rack";
import type { RackConfig, SourceConfig } from "../../../src/config/config.ts";
import type { Rack, SourceInfo } from "../../../src/rack/rack.ts";

export interface OpenedPets {
  readonly rack: Rack;
  state(): SourceInfo;
  names(): readonly string[];
}

/** A rack with one source, `pets`, over an API document. */
export async function openPets(
  openapi: SourceConfig["openapi"],
  more: RackConfig = {},
  folder?: string,
  trust?: SourceConfig["trust"],
  clock?: Clock,
): Promise<OpenedPets> {
  const rack = await openTestRack({
    config: {
      store: { memory: true },
      tools: { packs: { utility: false } },
      sources: { pets: { openapi: { secrets: { api_key: "api_key", oauth: "oauth" }, ...openapi }, ...(trust && { trust }) } },
      ...more,
    },
    ...(folder !== undefined && { folder }),
    ...(clock !== undefined && { clock }),
  });
  await rack.sources.ready();
  const state = () => rack.sources.list().find(({ id }) => id === "pets")!;
  return { rack, state, names: () => rack.registry.entries().map(({ tool }) => tool.name) };
}
