import { announceServer } from "./known-servers.ts";
import type { Rack } from "./rack/rack.ts";
import { placeConfig } from "./rack/open-config.ts";
import { openRack, type OpenRackOptions } from "./rack/open.ts";
import { createLog, type LogLevel } from "./telemetry/log.ts";
import { serve, type Served, type ServeOptions } from "./serve.ts";

export interface OpenServerOptions extends OpenRackOptions, Pick<ServeOptions, "host" | "port" | "socket" | "consoleFolder"> {
  /** What its log tells, where none is handed in. @default "info" */
  readonly logLevel?: LogLevel;
}

/** A server as its configuration describes it, which the owner's command line finds; what is given here goes before the file. */
export async function openServer(options: OpenServerOptions = {}): Promise<Served & { readonly rack: Rack }> {
  const { host, port, socket, consoleFolder, logLevel = "info", ...rackOptions } = options;
  const rack = await openRack({ log: createLog({ level: logLevel }), ...rackOptions });
  try {
    const { server: { socket: configured, ...server } = {}, signIn } = rack.config;
    // Whoever names an address or a port wants no socket.
    const place = socket ?? (host === undefined && port === undefined ? configured : undefined);
    const served = await serve(rack, {
      ...server,
      ...(place !== undefined && { socket: place }),
      ...(signIn?.jwt && { tokens: signIn.jwt }),
      ...(host !== undefined && { host }),
      ...(port !== undefined && { port }),
      ...(consoleFolder !== undefined && { consoleFolder }),
    });
    const { text: token, file: tokenFile } = rack.ownerToken;
    const withdraw = announceServer(
      {
        url: ownerUrl(served),
        ...(tokenFile === undefined ? { token } : { tokenFile }),
        ...(server.tls && { certificateFile: server.tls.cert }),
        ...(typeof options.config !== "object" && { config: placeConfig(options.config, options.folder ?? process.cwd()) }),
      },
      options.environment ?? process.env,
    );
    return {
      ...served,
      rack,
      async close(closing) {
        withdraw();
        await served.close(closing);
      },
    };
  } catch (error) {
    await rack.close();
    throw error;
  }
}

/** One that listens on every address is reached at this machine's own. */
function ownerUrl({ host, port, url }: Served): string {
  return host === "0.0.0.0" || host === "::" ? `${new URL(url).protocol}//127.0.0.1:${port}` : url;
}
