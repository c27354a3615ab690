import { readFileSync } from "node:fs";
import { createDatabase } from "@toolrack/testkit/databases";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { openTestRack, sharedMasterKey } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createLog } from "../../../src/telemetry/log/log.ts";
import { metricList } from "../../../src/telemetry/metrics/metric-list.ts";
import { type ReadMetrics, readMetrics } from "../prometheus.ts";

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

const file = new URL("../../../../cli/template/deploy/prometheus/toolrack-rules.yaml", import.meta.url);
const { groups } = parse(readFileSync(file, "utf8")) as {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const selectors = (expr: string): readonly { readonly name: string; readonly labels: readonly (readonly [string, string, string])[] }[] =>
  [...expr.matchAll(/\b([a-z][a-z0-9_]*)\{([^}]*)\}/g)].map(([, name, inner]) => ({
    name: name!,
    labels: [...inner!.matchAll(/([a-z_]+)(=~|!~|!=|=)"([^"]*)"/g)].map(([, label, how, value]) => [label!, how!, value!] as const),
  }));

const worker = `ed25519:${Buffer.alloc(32, 3).toString("base64url")}`;
let postgres: TestPostgres;
let metrics: ReadMetrics;

/** Everything that a server of a cluster can have: PostgreSQL, a source that is away, a pool whose broker is away. */
beforeAll(async () => {
  postgres = await startPostgres();
  const rack = await openTestRack({
    environment: { DATABASE_URL: await createDatabase(postgres), TOOLRACK_MASTER_KEY: sharedMasterKey },
    log: createLog({ destination: { write: () => undefined } }),
    config: {
      sources: {
        away: { url: "http://127.0.0.1:9/mcp", allowHosts: ["127.0.0.1:9"] },
        gpu: { workers: { connect: "nats://127.0.0.1:9", keys: [worker] } },
      },
    },
  });
  await rack.sources.ready();
  const server = serverOver(rack);
  await server.ask("POST", "/tools/calculator/call", { input: { expression: "1 + 1" } });
  metrics = readMetrics(await (await server.request("GET", "/metrics")).text());
});
afterAll(() => postgres?.stop());

describe("the alerts for Prometheus", () => {
  it("have names of their own, a severity, and sentences that say what is wrong and what to do", () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    expect(new Set(groups.map(({ name }) => name)).size).toBe(groups.length);
    for (const { alert, for: duration = "1m", labels, annotations } of rules) {
      expect(alert).toMatch(/^Toolrack[A-Za-z]+$/);
      expect(duration).toMatch(/^\d+[smhd]$/);
      expect(["page", "ticket"]).toContain(labels["severity"]);
      expect(Object.keys(annotations)).toEqual(["summary", "action"]);
    }
  });

  it.each(rules.map((rule) => [rule.alert, rule] as const))("%s asks for series that a server has", (_, { expr, annotations }) => {
    const used = selectors(expr);
    expect(used).not.toEqual([]);
    for (const { name, labels } of used) {
      expect(labels).toContainEqual(["job", "=", "toolrack"]);
      if (name === "up") continue; // of Prometheus itself
      expect([...metrics.families.keys()]).toContain(name);
      const about = metricList[name as keyof typeof metricList];
      expect([...about.labels, "job"]).toEqual(expect.arrayContaining(labels.map(([label]) => label)));
      // A value that is asked for is one that a server writes.
      const keys = [...metrics.samples.keys()].filter((key) => key.startsWith(`${name}{`));
      for (const [label, how, value] of labels)
        if (how === "=" && label !== "job" && keys.length > 0 && label !== "outcome")
          expect(keys.some((key) => key.includes(`${label}="${value}"`))).toBe(true);
      // Counters are read as rates, gauges as they are.
      expect(new RegExp(String.raw`(?:rate|increase)\(${name}\{`).test(expr)).toBe(about.type === "counter");
      const shown = [
        ...Object.values(annotations)
          .join(" ")
          .matchAll(/\$labels\.([a-z_]+)/g),
      ].map(([, label]) => label!);
      expect([...about.labels, "instance"]).toEqual(expect.arrayContaining(shown));
    }
  });

  it("name each metric that exists, and no other", () => {
    const words = rules.flatMap(({ expr }) =>
      [...expr.matchAll(/\b(?:toolrack|gen_ai|mcp|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name),
    );
    expect(words.filter((name) => !Object.hasOwn(metricList, name))).toEqual([]);
  });

  it("tell of a source and a broker that are away, and of no other trouble, where nothing else is wrong", () => {
    const firing = rules.filter(({ expr }) => {
      const [, name, inner, value] = /^([a-z_]+)\{([^}]*)\} (== 0|> \d+)$/.exec(expr) ?? [];
      if (name === undefined || name === "up") return false;
      const wanted = [...inner!.matchAll(/([a-z_]+)="([^"]*)"/g)].filter(([, label]) => label !== "job").map(([text]) => text);
      return [...metrics.samples]
        .filter(([key]) => (key === name || key.startsWith(`${name}{`)) && wanted.every((text) => key.includes(text)))
        .some(([, number]) => (value === "== 0" ? number === 0 : number > Number(value!.slice(2))));
    });
    expect(firing.map(({ alert }) => alert).toSorted()).toEqual(["ToolrackBrokerDown", "ToolrackSourceDown"]);
  });
});
