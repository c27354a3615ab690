import type { Rack } from "./rack/rack.ts";
import { openRack, type OpenRackOptions } from "./rack/open.ts";
import { serve, type Served, type ServeOptions } from "./serve.ts";

export interface OpenServerOptions extends OpenRackOptions, Pick<ServeOptions, "host" | "port" | "consoleFolder"> {}

/** A server as its configuration describes it; what is given here goes before the file. */
export async function openServer(options: OpenServerOptions = {}): Promise<Served & { readonly rack: Rack }> {
  const { host, port, consoleFolder, ...rackOptions } = options;
  const rack = await openRack(rackOptions);
  try {
    const { server = {}, signIn } = rack.config;
    const served = await serve(rack, {
      ...server,
      ...(signIn?.jwt && { tokens: signIn.jwt }),
      ...(host !== undefined && { host }),
      ...(port !== undefined && { port }),
      ...(consoleFolder !== undefined && { consoleFolder }),
    });
    return { ...served, rack };
  } catch (error) {
    await rack.close();
    throw error;
  }
}
