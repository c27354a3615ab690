import { describe, expect, it } from "vitest";
import { createBatches } from "../../../src/telemetry/export/batches.ts";
import { readSampler } from "../../../src/telemetry/export/sampler.ts";
import { readExportSettings } from "../../../src/telemetry/export/settings.ts";
import type { EndedSpan } from "../../../src/telemetry/export/span.ts";

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };

describe("the variables of OpenTelemetry", () => {
  it("say nothing: nothing is exported", () => {
    expect(readExportSettings({}, { version: "1.0.0", server: "one" })).toEqual({ faults: [] });
    expect(readExportSettings({ OTEL_SERVICE_NAME: "a" }, { version: "1.0.0", server: "one" })).toEqual({ faults: [] });
  });

  it.each([
    [endpoint, "http://collector:4318/v1/traces"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector/otlp/" }, "https://collector/otlp/v1/traces"],
    [{ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://traces/in" }, "https://traces/in"],
    [{ OTEL_TRACES_EXPORTER: "otlp" }, "http://localhost:4318/v1/traces"],
  ])("%j: spans go to %s", (variables, url) => {
    expect(readExportSettings(variables, { version: "1.0.0", server: "one" }).settings?.url).toBe(url);
  });

  it("have the defaults of the specification", () => {
    const { settings, faults } = readExportSettings(endpoint, { version: "1.2.3", server: "one" });
    expect(faults).toEqual([]);
    expect(settings).toMatchObject({
      protocol: "http/protobuf",
      headers: {},
      isCompressed: false,
      timeoutMs: 10_000,
      resource: { "service.name": "toolrack", "service.version": "1.2.3", "service.instance.id": "one" },
      batch: { delayMs: 5_000, queueSize: 2_048, batchSize: 512 },
    });
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, "The OTLP endpoint is not a URL of http or https. No spans are exported."],
    ...["key=planted%0Akey", "key=%20planted%0Akey%20", "key=a%0Ab", "key=%E2%82%AC", "a%20key=b"].map(
      (headers): [Readonly<Record<string, string>>, string] => [
        { ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers },
        "The OTLP headers hold a name or a value that HTTP does not allow. No spans are exported.",
      ],
    ),
    [{ ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: "a" }, "The OTLP headers are not a list of name=value. No spans are exported."],
  ])("%j is refused", (variables, fault) => {
    expect(readExportSettings(variables, { version: "1.0.0", server: "one" })).toEqual({ faults: [fault] });
  });

  it.each([
    "http://anna:pa55-w0rd@collector:4318",
    "https://pa55-w0rd@collector",
    "ftp://anna:pa55-w0rd@collector",
    "anna:pa55-w0rd@collector:4318",
  ])("an endpoint with a password is refused, and the password is not printed: %s", (url) => {
    for (const name of ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]) {
      const { settings, faults } = readExportSettings({ [name]: url }, { version: "1.0.0", server: "one" });
      expect(settings).toBeUndefined();
      expect(faults).toHaveLength(1);
      expect(faults.join()).not.toContain("pa55-w0rd");
      if (url.startsWith("http")) expect(faults[0]).toContain(`${name} contains a user or password`);
      if (url.startsWith("http")) expect(faults[0]).toContain("OTEL_EXPORTER_OTLP_HEADERS");
    }
  });

  it("that are not supported or wrong are named, and the rest is used", () => {
    const { settings, faults } = readExportSettings(
      {
        ...endpoint,
        OTEL_EXPORTER_OTLP_CERTIFICATE: "/ca.pem",
        OTEL_ATTRIBUTE_COUNT_LIMIT: "5",
        OTEL_METRICS_EXPORTER: "otlp",
        OTEL_LOGS_EXPORTER: "otlp",
        OTEL_PROPAGATORS: "b3,tracecontext",
        OTEL_BSP_SCHEDULE_DELAY: "soon",
        OTEL_TRACES_SAMPLER: "jaeger_remote",
        OTEL_EXPORTER_OTLP_COMPRESSION: "zstd",
      },
      { version: "1.0.0", server: "one" },
    );
    expect(settings).toMatchObject({ batch: { delayMs: 5_000 }, isCompressed: false });
    expect(faults.map((fault) => fault.split(" ")[0])).toEqual([
      "OTEL_METRICS_EXPORTER",
      "OTEL_LOGS_EXPORTER",
      "OTEL_PROPAGATORS",
      "OTEL_ATTRIBUTE_COUNT_LIMIT,",
      "OTEL_EXPORTER_OTLP_COMPRESSION",
      "OTEL_TRACES_SAMPLER",
      "OTEL_BSP_SCHEDULE_DELAY",
    ]);
  });
});

describe("a sampler", () => {
  const id = (last: string): string => last.padStart(32, "0");

  it("follows the parent where it is parent-based, and decides about roots", () => {
    const { sampler } = readSampler("parentbased_traceidratio", "0.5");
    expect(sampler(id("f".repeat(13)), true)).toBe(true);
    expect(sampler(id("1"), false)).toBe(false);
    expect(sampler(id("1"), undefined)).toBe(true);
    expect(sampler(id("f".repeat(13)), undefined)).toBe(false);
  });

  it("that ignores parents decides alone", () => {
    expect(readSampler("always_off").sampler(id("1"), true)).toBe(false);
    expect(readSampler("traceidratio", "0").sampler(id("0"), true)).toBe(false);
    expect(readSampler("traceidratio", "1").sampler(id("f".repeat(32)), false)).toBe(true);
  });

  it("that is unknown, or has a ratio beyond 1, is a fault", () => {
    expect(readSampler("traceidratio", "2").fault).toContain('"2"');
    expect(readSampler("sometimes").fault).toContain("sometimes");
  });
});

describe("batches", () => {
  const span = (name: string): EndedSpan => ({ name }) as EndedSpan;

  it("are sent one after the other, and what is left at the end", async () => {
    const sent: string[][] = [];
    const batches = createBatches(async (spans) => (sent.push(spans.map(({ name }) => name)), "sent"), {
      delayMs: 60_000,
      queueSize: 10,
      batchSize: 2,
    });
    for (const name of ["a", "b", "c"]) batches.add(span(name));
    await batches.close();
    expect(sent).toEqual([["a", "b"], ["c"]]);
    expect(batches.dropped).toBe(0);
  });

  it("drop and count what is beyond the queue, what is refused, and what nobody takes at the end", async () => {
    const outcomes = ["refused", "again"] as const;
    let turn = 0;
    const batches = createBatches(async () => outcomes[Math.min(turn++, 1)]!, { delayMs: 60_000, queueSize: 3, batchSize: 2 });
    for (const name of ["a", "b", "c", "d"]) batches.add(span(name));
    await batches.close();
    expect(batches.dropped).toBe(4);
  });
});
