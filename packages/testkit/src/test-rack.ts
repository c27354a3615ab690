import { openRack, type OpenRackOptions, type Rack, type RackConfig } from "@toolrack/server";
import { afterThisTest } from "./cleanup.ts";
import { temporaryFolder } from "./folders.ts";

/** The master key that racks on one database share. */
export const sharedMasterKey: string = Buffer.alloc(32, 1).toString("base64");

/**
 * Opens a rack that is closed after the test. Without a configuration its store is in memory, and without a folder it gets a temporary one.
 * Agents need not be listed unless the configuration says so; a configuration file is taken as it is.
 */
export async function openTestRack(options: OpenRackOptions = {}): Promise<Rack> {
  const config = "config" in options ? options.config : { store: { memory: true } };
  const rack = await openRack({
    folder: temporaryFolder(),
    ...options,
    environment: withMasterKey(options),
    config: allowUnknownAgents(config),
  });
  afterThisTest(() => rack.close({ graceMs: 0 }));
  return rack;
}

/** Servers of one database share a master key unless the test gives one; servers of one folder find theirs there. */
function withMasterKey({ folder, environment = {} }: OpenRackOptions): NonNullable<OpenRackOptions["environment"]> {
  if (folder !== undefined || environment["DATABASE_URL"] === undefined) return environment;
  return { TOOLRACK_MASTER_KEY: sharedMasterKey, ...environment };
}

function allowUnknownAgents(config: string | RackConfig | undefined): string | RackConfig | undefined {
  return typeof config !== "object" ? config : { ...config, policy: { unknownAgents: "allow", ...config.policy } };
}
