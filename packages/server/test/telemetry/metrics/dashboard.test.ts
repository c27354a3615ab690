import { readFileSync } from "node:fs";
import { createRegistry } from "@toolrack/core";
import { serveMcp } from "@toolrack/mcp";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { openTestServer } from "@toolrack/testkit/test-server";
import { testTools } from "@toolrack/testkit/test-tools";
import { beforeAll, describe, expect, it } from "vitest";
import { metricList } from "../../../src/telemetry/metrics/metric-list.ts";

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly fieldConfig?: { readonly defaults: { readonly unit: string } };
  readonly targets?: readonly { readonly expr: string }[];
}

const file = new URL("../../../../cli/template/deploy/grafana/toolrack.json", import.meta.url);
const { panels } = JSON.parse(readFileSync(file, "utf8")) as { readonly panels: readonly Panel[] };
const queries = panels.flatMap(({ title, targets = [], fieldConfig }) =>
  targets.map(({ expr }) => ({ title, expr, unit: fieldConfig!.defaults.unit })),
);

/** The series of a server after calls over HTTP and MCP, with an MCP server behind it. */
async function scrape(): Promise<string> {
  const upstream = createRegistry();
  for (const tool of testTools) upstream.register(tool);
  const endpoint = serveMcp(upstream);
  afterThisTest(() => endpoint.close());
  const { url, port } = await endpoint.listen();
  await using server = await openTestServer({ config: { sources: { up: { url, allowHosts: [`127.0.0.1:${port}`] } } } });
  await server.rack.sources.ready();
  await server.ask("POST", "/tools/echo/call", { input: { text: "x" } });
  await server.ask("POST", "/tools/fail/call", { input: {} });
  for (const name of ["up__echo", "up__fail"]) {
    const answer = await server.request("POST", "/mcp", {
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: { text: "x" } } },
      headers: { accept: "application/json, text/event-stream" },
    });
    expect(answer.status).toBe(200);
    await answer.text();
  }
  return (await server.request("GET", "/metrics")).text();
}

describe("the Grafana dashboard", () => {
  let text = "";
  beforeAll(async () => void (text = await scrape()));

  it("has panels with queries", () => {
    expect(queries.length).toBeGreaterThan(20);
    expect(panels.filter(({ type, targets = [] }) => type !== "row" && targets.length === 0)).toEqual([]);
  });

  it.each(queries)("$title: $expr asks for series that a server has", ({ expr, unit }) => {
    const used = [...expr.matchAll(/\b((?:toolrack|gen_ai|mcp|process|nodejs)_[a-z0-9_]+)\{([^}]*)\}/g)];
    expect(used).not.toEqual([]);
    for (const [, series, selector] of used) {
      expect(text, series).toMatch(new RegExp(`^${series}[{ ]`, "m"));
      const name = series!.replace(/_(?:bucket|sum|count)$/, "") as keyof typeof metricList;
      const { type, labels } = metricList[name];
      if (type === "counter" || series!.endsWith("_count")) expect(expr).toMatch(/\b(?:rate|increase)\(/);
      if (series!.endsWith("_bucket")) expect(expr).toMatch(/histogram_quantile\([\d.]+, sum by \(le\b/);
      const wanted = [...selector!.matchAll(/([a-z_]+)(?:=~|!~|!=|=)/g)].map(([, label]) => label!);
      const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(", "));
      expect([...labels, "job", "le"]).toEqual(expect.arrayContaining([...wanted, ...grouped]));
      // A quantile, or a value itself, is in the unit that its name says.
      const isMeasured = series!.endsWith("_bucket") || type === "gauge";
      if (isMeasured && name.endsWith("_seconds")) expect(unit).toBe("s");
      if (isMeasured && name.endsWith("_bytes")) expect(unit).toBe("bytes");
    }
  });

  it("measures calls and MCP operations under the names of the conventions", () => {
    expect(text).toMatch(/^gen_ai_execute_tool_duration_seconds_count\{gen_ai_tool_name="echo",gen_ai_tool_type="function"\} 1$/m);
    expect(text).toMatch(/^gen_ai_execute_tool_duration_seconds_count\{gen_ai_tool_name="up__echo",gen_ai_tool_type="extension"\} 1$/m);
    expect(text).toMatch(
      /^gen_ai_execute_tool_duration_seconds_count\{gen_ai_tool_name="fail",gen_ai_tool_type="function",error_type="TOOL_FAILED"\} 1$/m,
    );
    expect(text).toMatch(
      /^mcp_server_operation_duration_seconds_count\{mcp_method_name="tools\/call",gen_ai_tool_name="up__echo",network_transport="tcp"\} 1$/m,
    );
    expect(text).toMatch(
      /^mcp_server_operation_duration_seconds_count\{mcp_method_name="tools\/call",gen_ai_tool_name="up__fail",error_type="tool_error",network_transport="tcp"\} 1$/m,
    );
    expect(text).toMatch(
      /^mcp_client_operation_duration_seconds_count\{mcp_method_name="tools\/list",network_transport="tcp",server_address="127.0.0.1",server_port="\d+",toolrack_source="up"\} \d$/m,
    );
    expect(text).toMatch(
      /^mcp_client_operation_duration_seconds_bucket\{mcp_method_name="tools\/call",gen_ai_tool_name="fail",error_type="tool_error",.*le="300"\} 1$/m,
    );
  });
});
