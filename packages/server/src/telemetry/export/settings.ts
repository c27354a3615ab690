import type { Environment } from "./has-variables.ts";
import { readSampler, type Sampler } from "./sampler.ts";

/** Where spans are sent, from the standard environment variables of OpenTelemetry. */
export interface ExportSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocol: "http/protobuf" | "http/json";
  readonly isCompressed: boolean;
  readonly timeoutMs: number;
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: Sampler;
  readonly batch: BatchSettings;
}

export interface BatchSettings {
  readonly delayMs: number;
  readonly queueSize: number;
  readonly batchSize: number;
}

export interface ReadSettings {
  /** Undefined: nothing is exported. */
  readonly settings?: ExportSettings;
  /** What is set and cannot be followed, as whole sentences. */
  readonly faults: readonly string[];
}

/** What spans say about the server that made them. */
export interface ExportedServer {
  readonly version: string;
  /** Its name at the start. */
  readonly server: string;
}

/** Reads the variables. One that is not supported has its sentence among the faults, and so has a wrong value. */
export function readExportSettings(environment: Environment, { version, server }: ExportedServer): ReadSettings {
  const get = (name: string): string | undefined => environment[name]?.trim() || undefined;
  if (get("OTEL_SDK_DISABLED")?.toLowerCase() === "true") return { faults: [] };
  const faults = unsupported(environment);
  const exporter = get("OTEL_TRACES_EXPORTER");
  const ownEndpoint = get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  const endpoint = ownEndpoint ?? get("OTEL_EXPORTER_OTLP_ENDPOINT");
  if (exporter === "none" || (exporter === undefined && endpoint === undefined)) return { faults };
  if (exporter !== undefined && exporter !== "otlp")
    return { faults: [...faults, `OTEL_TRACES_EXPORTER is "${exporter}"; only "otlp" and "none" are supported. No spans are exported.`] };
  const either = (name: string): string | undefined => get(`OTEL_EXPORTER_OTLP_TRACES_${name}`) ?? get(`OTEL_EXPORTER_OTLP_${name}`);
  const protocol = either("PROTOCOL") ?? "http/protobuf";
  if (protocol !== "http/protobuf" && protocol !== "http/json") {
    const fact = `OTEL_EXPORTER_OTLP_PROTOCOL is "${protocol}"; only "http/protobuf" and "http/json" are supported`;
    return { faults: [...faults, `${fact}, usually on port 4318. No spans are exported.`] };
  }
  const url = toUrl(ownEndpoint, endpoint ?? "http://localhost:4318");
  if (url === undefined) return { faults: [...faults, "The OTLP endpoint is not a URL of http or https. No spans are exported."] };
  if (hasCredentials(url)) {
    const name = ownEndpoint === undefined ? "OTEL_EXPORTER_OTLP_ENDPOINT" : "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
    const next = "Remove them, and set OTEL_EXPORTER_OTLP_HEADERS, for example to Authorization=Basic%20<user:password in Base64>";
    return { faults: [...faults, `${name} contains a user or password, which are not sent. ${next}. No spans are exported.`] };
  }
  const pairs = readPairs(either("HEADERS"));
  const resource = readPairs(get("OTEL_RESOURCE_ATTRIBUTES"));
  if (pairs === undefined) return { faults: [...faults, "The OTLP headers are not a list of name=value. No spans are exported."] };
  const headers = asSent(pairs);
  if (headers === undefined)
    return { faults: [...faults, "The OTLP headers hold a name or a value that HTTP does not allow. No spans are exported."] };
  if (resource === undefined) faults.push("OTEL_RESOURCE_ATTRIBUTES is not a list of name=value, and is ignored.");
  const compression = either("COMPRESSION") ?? "none";
  if (compression !== "none" && compression !== "gzip")
    faults.push(`OTEL_EXPORTER_OTLP_COMPRESSION is "${compression}"; only "gzip" and "none" are supported. Spans are sent uncompressed.`);
  const sampler = readSampler(get("OTEL_TRACES_SAMPLER"), get("OTEL_TRACES_SAMPLER_ARG"));
  if (sampler.fault !== undefined) faults.push(sampler.fault);

  function number(name: string, standard: number): number {
    const text = get(name);
    const value = Number(text ?? standard);
    if (Number.isInteger(value) && value > 0 && value <= 2_147_483_647) return value;
    faults.push(`${name} is "${text}"; it must be a whole number above 0. ${standard} is used.`);
    return standard;
  }

  const serviceName = get("OTEL_SERVICE_NAME") ?? resource?.["service.name"] ?? "toolrack";
  return {
    settings: {
      url,
      headers,
      protocol,
      isCompressed: compression === "gzip",
      timeoutMs: number(
        get("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT") ? "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT" : "OTEL_EXPORTER_OTLP_TIMEOUT",
        10_000,
      ),
      resource: {
        "service.version": version,
        "service.instance.id": server,
        ...resource,
        "service.name": serviceName,
        "telemetry.sdk.name": "toolrack",
        "telemetry.sdk.language": "nodejs",
        "telemetry.sdk.version": version,
      },
      sampler: sampler.sampler,
      batch: {
        delayMs: number("OTEL_BSP_SCHEDULE_DELAY", 5_000),
        queueSize: number("OTEL_BSP_MAX_QUEUE_SIZE", 2_048),
        batchSize: number("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 512),
      },
    },
    faults,
  };
}

/** An endpoint of traces is used as it is; the path of traces is added to a general one. */
function toUrl(own: string | undefined, endpoint: string): string | undefined {
  if (!URL.canParse(endpoint)) return undefined;
  const url = new URL(endpoint);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  if (own === undefined) url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/traces`;
  return url.href;
}

/** fetch refuses such a URL with a message that repeats it. */
function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}

/** "a=1,b=two%20words" → { a: "1", b: "two words" } */
function readPairs(text: string | undefined): Readonly<Record<string, string>> | undefined {
  const pairs: [string, string][] = [];
  for (const part of (text ?? "").split(",")) {
    if (part.trim() === "") continue;
    const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
    if (name === undefined || value === undefined) return undefined;
    try {
      pairs.push([decodeURIComponent(name), decodeURIComponent(value)]);
    } catch {
      return undefined;
    }
  }
  return Object.fromEntries(pairs);
}

/** The headers as fetch sends them. The error of fetch would repeat the value. */
function asSent(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined {
  try {
    return Object.fromEntries(new Headers(headers));
  } catch {
    return undefined;
  }
}

function unsupported(environment: Environment): string[] {
  const faults: string[] = [];
  const metrics = environment["OTEL_METRICS_EXPORTER"];
  if (metrics !== undefined && !["", "none", "prometheus"].includes(metrics))
    faults.push(
      `OTEL_METRICS_EXPORTER is "${metrics}"; metrics are only served at /metrics, for Prometheus or a collector that scrapes it.`,
    );
  const logs = environment["OTEL_LOGS_EXPORTER"];
  if (logs !== undefined && !["", "none"].includes(logs))
    faults.push(`OTEL_LOGS_EXPORTER is "${logs}"; the log is only written to standard error, as JSON lines with trace_id and span_id.`);
  const propagators = environment["OTEL_PROPAGATORS"];
  const others = (propagators ?? "").split(",").filter((one) => !["", "tracecontext", "baggage"].includes(one.trim()));
  if (others.length > 0) faults.push(`OTEL_PROPAGATORS names ${others.join(", ")}; only "tracecontext" is supported.`);
  const ignored = Object.keys(environment).filter(
    (name) => name.startsWith("OTEL_") && environment[name] !== "" && !supportedVariables.includes(name),
  );
  if (ignored.length > 0) faults.push(`${ignored.toSorted().join(", ")}: not supported, and without effect.`);
  return faults;
}

/** In the order of the guide. */
export const supportedVariables: readonly string[] = [
  "OTEL_SDK_DISABLED",
  "OTEL_SERVICE_NAME",
  "OTEL_RESOURCE_ATTRIBUTES",
  "OTEL_TRACES_EXPORTER",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
  "OTEL_EXPORTER_OTLP_PROTOCOL",
  "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
  "OTEL_EXPORTER_OTLP_COMPRESSION",
  "OTEL_EXPORTER_OTLP_TRACES_COMPRESSION",
  "OTEL_EXPORTER_OTLP_TIMEOUT",
  "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT",
  "OTEL_TRACES_SAMPLER",
  "OTEL_TRACES_SAMPLER_ARG",
  "OTEL_BSP_SCHEDULE_DELAY",
  "OTEL_BSP_MAX_QUEUE_SIZE",
  "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
  "OTEL_METRICS_EXPORTER",
  "OTEL_LOGS_EXPORTER",
  "OTEL_PROPAGATORS",
];
