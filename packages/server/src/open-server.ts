import { randomBytes } from "node:crypto";
import type { Logger } from "@toolrack/core";
import { announceServer } from "./known-servers.ts";
import type { Rack } from "./rack/rack.ts";
import { takeServerName } from "./rack/cluster/server-name.ts";
import { locateConfig } from "./rack/settings/open-config.ts";
import { openRack, type OpenRackOptions } from "./rack/open.ts";
import type { SpanExport } from "./telemetry/export/open-export.ts";
import { type Environment, hasExportVariables } from "./telemetry/export/has-variables.ts";
import { createLog, type LogFormat, type LogLevel, type ServerLog } from "./telemetry/log/log.ts";
import { version } from "./version.ts";
import { serve, type Served, type ServeOptions } from "./serve.ts";
import { followSystemd } from "./systemd.ts";

export interface OpenServerOptions extends OpenRackOptions, Pick<ServeOptions, "host" | "port" | "socket" | "consoleFolder"> {
  /** The level of its log, if none is given. @default the configuration, else "info" */
  readonly logLevel?: LogLevel;
  /** The format of its log, if none is given. @default the configuration, else "auto" */
  readonly logFormat?: LogFormat;
}

/** Opens a server from its configuration, and announces it to the owner's command line; options take precedence over the file. */
export async function openServer(options: OpenServerOptions = {}): Promise<Served & { readonly rack: Rack }> {
  const { host, port, socket, consoleFolder, logLevel, logFormat, ...rackOptions } = options;
  const beganAt = performance.now();
  const sinceMs = (moment: number): number => Math.round(performance.now() - moment);
  const log = rackOptions.log ?? createLog({ level: logLevel, format: logFormat });
  const serverName = takeServerName();
  let named: { readonly name: string } = serverName;
  (log as Partial<ServerLog>).identify?.(() => named.name);
  // A copy: the rack may remove variables that hold secrets.
  const environment = { ...(options.environment ?? process.env) };
  let spans: SpanExport | undefined;
  let openingSpans: Promise<void> | undefined;
  const onConfigured = (file: string | undefined): void => {
    log.info("Server starting.", { version, node: process.version, pid: process.pid, ...(file !== undefined && { file }) });
    openingSpans = openSpanExport(environment, log, serverName.name).then((opened) => void (spans = opened));
  };
  const rack = await openRack({ ...rackOptions, log, serverName, onConfigured }).catch(async (error: unknown) => {
    serverName.release();
    await openingSpans;
    await spans?.close();
    throw error;
  });
  named = rack.servers;
  await openingSpans;
  try {
    const { server: { socket: configured, ...server } = {}, signIn } = rack.config;
    // An address or a port excludes a socket.
    const socketPath = socket ?? (host === undefined && port === undefined ? configured : undefined);
    const secret = randomBytes(32).toString("base64url");
    const served = await serve(rack, {
      ...server,
      announcedSecret: secret,
      ...(socketPath !== undefined && { socket: socketPath }),
      ...(signIn?.jwt && { tokens: signIn.jwt }),
      ...(host !== undefined && { host }),
      ...(port !== undefined && { port }),
      ...(consoleFolder !== undefined && { consoleFolder }),
    });
    const { text: token, file: tokenFile } = rack.ownerToken;
    const withdraw = announceServer(
      {
        url: ownerUrl(served),
        secret,
        ...(tokenFile === undefined ? { token } : { tokenFile }),
        ...(server.tls && { certificateFile: server.tls.cert }),
        ...(typeof options.config !== "object" && { config: locateConfig(options.config, options.folder ?? process.cwd()) }),
      },
      environment,
    );
    const supervisor = followSystemd(environment, log);
    supervisor?.ready();
    log.info("Server ready.", {
      url: served.url,
      publicUrl: served.publicUrl,
      tools: rack.registry.list().length,
      durationMs: sinceMs(beganAt),
    });
    let closing: Promise<void> | undefined;

    async function close(how: Parameters<Served["close"]>[0]): Promise<void> {
      const drainedAt = performance.now();
      log.info("Server draining.", { running: rack.running.list().length });
      supervisor?.stopping();
      withdraw();
      await served.close(how);
      await supervisor?.close();
      await spans?.close();
      log.info("Server stopped.", { durationMs: sinceMs(drainedAt) });
    }

    return { ...served, rack, close: (how) => (closing ??= close(how)) };
  } catch (error) {
    await rack.close();
    await spans?.close();
    throw error;
  }
}

/** The exporter is loaded only where a variable of OpenTelemetry is set. */
async function openSpanExport(environment: Environment, log: Logger, server: string): Promise<SpanExport | undefined> {
  if (!hasExportVariables(environment)) return undefined;
  const { openExport } = await import("./telemetry/export/open-export.ts");
  return openExport({ environment, log, version, server });
}

/** A server on all addresses is reached at loopback. */
function ownerUrl({ host, port, url }: Served): string {
  return host === "0.0.0.0" || host === "::" ? `${new URL(url).protocol}//127.0.0.1:${port}` : url;
}
