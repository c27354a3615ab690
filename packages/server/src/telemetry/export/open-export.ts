import { gzipSync } from "node:zlib";
import { trace } from "@opentelemetry/api";
import type { Logger } from "@toolrack/core";
import { createOutage } from "../../rack/util/outage.ts";
import { takesSpans } from "../trace/trace.ts";
import type { ServerLog } from "../log/log.ts";
import { createBatches, type Sent } from "./batches.ts";
import { toOtlpJson } from "./otlp-json.ts";
import { toOtlpProtobuf } from "./otlp-protobuf.ts";
import { createProvider } from "./provider.ts";
import type { Environment } from "./has-variables.ts";
import { type ExportedServer, type ExportSettings, readExportSettings } from "./settings.ts";
import type { EndedSpan } from "./span.ts";

/** The export of spans. */
export interface SpanExport {
  /** Sends what is left, and ends the export. */
  close(): Promise<void>;
}

export interface OpenExportOptions extends ExportedServer {
  readonly environment: Environment;
  readonly log: Logger;
}

/**
 * Exports the spans of this process as the standard environment variables say. Undefined if they ask for no export, or if an SDK in the
 * process takes the spans already: that one reads the variables itself.
 */
export function openExport({ environment, log, version, server }: OpenExportOptions): SpanExport | undefined {
  if (takesSpans()) return undefined;
  const { settings, faults } = readExportSettings(environment, { version, server });
  for (const fault of faults) log.warn(`OpenTelemetry: ${fault}`);
  if (settings === undefined) return undefined;
  const secrets = Object.values(settings.headers).filter((value) => value.length >= 8);
  (log as Partial<ServerLog>).hide?.(() => secrets);
  const batches = createBatches(createSender(settings, log), settings.batch);
  trace.setGlobalTracerProvider(createProvider(settings.sampler, (span) => batches.add(span)));
  log.info("Spans are exported.", { endpoint: withoutQuery(settings.url), protocol: settings.protocol });
  return {
    async close() {
      trace.disable();
      await batches.close();
      if (batches.dropped > 0) log.warn("Spans were dropped.", { spans: batches.dropped });
    },
  };
}

function createSender(settings: ExportSettings, log: Logger): (spans: readonly EndedSpan[]) => Promise<Sent> {
  const { url, protocol, isCompressed, timeoutMs, resource } = settings;
  const isJson = protocol === "http/json";
  const headers = {
    ...settings.headers,
    "content-type": isJson ? "application/json" : "application/x-protobuf",
    ...(isCompressed && { "content-encoding": "gzip" }),
  };
  const fields = { endpoint: withoutQuery(url) };
  const outage = createOutage({ log, failed: "Spans cannot be exported.", worked: "Spans are exported again.", fields });
  return async (spans) => {
    const plain = isJson ? toOtlpJson(spans, resource) : toOtlpProtobuf(spans, resource);
    try {
      const response = await fetch(url, {
        method: "POST",
        headers,
        body: (isCompressed ? gzipSync(plain) : plain) as Uint8Array<ArrayBuffer>,
        redirect: "error", // the headers are for this address
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
      if (response.ok) {
        outage.worked();
        return "sent";
      }
      outage.failed(new Error(`The receiver answered ${response.status}.`));
      return retried.has(response.status) ? "again" : "refused";
    } catch (error) {
      outage.failed(error);
      return "again";
    }
  };
}

/** The statuses after which OTLP sends again. */
const retried: ReadonlySet<number> = new Set([429, 502, 503, 504]);

function withoutQuery(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}
