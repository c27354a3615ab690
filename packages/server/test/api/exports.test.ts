import { createFakeClock } from "@toolrack/core/testing";
import { defineTool } from "@toolrack/core";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it, vi } from "vitest";
import { csvLine } from "../../src/api/shared/csv.ts";
import { readTimeRange } from "../../src/api/shared/time-range.ts";

const tools = [defineTool({ name: "say", description: "Says it.", inputSchema: { type: "object" }, handler: ({ text }) => String(text) })];

async function withCalls(server: TestServer, count: number): Promise<void> {
  for (let index = 1; index <= count; index++)
    await server.rack.registry.invoke(
      "say",
      { text: `=${index}` },
      { caller: { agent: index % 2 === 0 ? "ann" : "bob", principal: `key ${index % 2 === 0 ? "ann" : "bob"}` } },
    );
}

/** Cells of a table, as a program that reads RFC 4180 sees them. */
function cellsOf(text: string): readonly (readonly string[])[] {
  return text
    .split("\r\n")
    .slice(0, -1)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare!),
    );
}

describe("the log of calls", () => {
  it("is exported whole, as lines of JSON or as CSV, by parameter or by Accept header", async () => {
    await using server = await openTestServer({ tools });
    await withCalls(server, 120);
    const page = (await server.ask("GET", "/calls")).body;
    expect(page.calls).toHaveLength(50);
    const response = await server.request("GET", "/api/v1/calls?format=ndjson");
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    const lines = (await response.text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(120);
    expect(lines.slice(0, 50)).toEqual(page.calls);
    const table = await server.request("GET", "/api/v1/calls?tool=say", { headers: { accept: "text/csv" } });
    expect(table.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(table.headers.get("content-disposition")).toBe('attachment; filename="calls.csv"');
    const [head, ...rows] = cellsOf(await table.text());
    expect(head!.slice(0, 4)).toEqual(["number", "startedAt", "callId", "tool"]);
    expect(rows).toHaveLength(120);
    expect(rows.every((row) => row.length === head!.length)).toBe(true);
    expect(rows[0]![head!.indexOf("input")]).toBe('{"text":"=120"}');
    expect((await (await server.request("GET", "/api/v1/calls?format=csv&limit=60")).text()).split("\r\n")).toHaveLength(62);
    expect(
      (await server.request("GET", "/api/v1/calls", { headers: { accept: "application/json, text/csv" } })).headers.get("content-type"),
    ).toBe("application/json");
    expect((await server.ask("GET", "/calls?format=xml")).status).toBe(400);
  });

  it("is exported with the rights of the list: the own calls, without tools that the policy hides", async () => {
    await using server = await openTestServer({ tools, config: { policy: { agents: { bob: { tools: { deny: ["say"] } } } } } });
    await withCalls(server, 6);
    await server.as("ann");
    const exported = async (path: string, as: string, ...roles: string[]): Promise<readonly any[]> => {
      const ask = await server.as(as, ...roles);
      expect((await ask("GET", "/calls")).status).toBe(200);
      const { secret: key } = (await server.ask("POST", "/keys", { agent: as, roles })).body;
      const text = await (await server.request("GET", path, { key })).text();
      return text
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    };
    const path = "/api/v1/calls?format=ndjson";
    expect((await exported(path, "ann")).map(({ caller }) => caller.agent)).toEqual(["ann", "ann", "ann"]);
    expect(await exported(path, "bob")).toEqual([]);
    expect(await exported(`${path}&agent=ann`, "carl")).toEqual([]);
    expect(await exported(path, "eve", "subscriber")).toHaveLength(6);
    const carl = await server.as("carl");
    expect((await carl("GET", "/audit?format=csv")).status).toBe(403);
  });

  it("is read a slice at a time, when the client has taken the one before, and no further once the client has left", async () => {
    await using server = await openTestServer({ tools });
    await withCalls(server, 400);
    const list = vi.spyOn(server.rack.calls, "list");
    const reader = (await server.request("GET", "/api/v1/calls?format=ndjson")).body!.getReader();
    await reader.read();
    // One slice may be read ahead, and never the whole log.
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    const asked = list.mock.calls.length;
    expect(asked).toBeLessThan(5);
    for (let slice = 0; slice < 3; slice++) await reader.read();
    expect(list.mock.calls.length).toBeGreaterThan(asked);
    await reader.cancel();
    const then = list.mock.calls.length;
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    expect(list.mock.calls.length).toBeLessThanOrEqual(then + 1);
  });

  it("breaks off, and does not end, where the store fails in the middle or the key of the client ends", async () => {
    await using server = await openTestServer({ tools });
    await withCalls(server, 400);
    const { secret: key, id } = (await server.ask("POST", "/keys", { agent: "eve", roles: ["subscriber"] })).body;
    const path = "/api/v1/calls?format=csv";
    const revoked = (await server.request("GET", path, { key })).body!.getReader();
    await revoked.read();
    await server.ask("DELETE", `/keys/${id}`);
    await expect((async () => void (await drain(revoked)))()).rejects.toThrow();
    const list = vi.spyOn(server.rack.calls, "list");
    const failing = (await server.request("GET", path)).body!.getReader();
    list.mockRejectedValue(new Error("The disk is gone."));
    await expect((async () => void (await drain(failing)))()).rejects.toThrow();
    expect((await server.ask("GET", "/calls?format=csv")).status).toBe(500);
  });

  it("is limited to a range of time, as JSON and exported, for calls and the audit", async () => {
    const clock = createFakeClock(Date.now() - 10 * 3_600_000);
    await using server = await openTestServer({ tools, rack: { clock } });
    for (let hour = 0; hour < 10; hour++) {
      await withCalls(server, 1);
      await clock.advance(3_600_000);
    }
    const count = async (query: string): Promise<number> => (await server.ask("GET", `/calls?${query}`)).body.calls.length;
    expect(await count("since=150m")).toBe(2);
    expect(await count("until=150m")).toBe(8);
    expect(await count("since=270m&until=150m")).toBe(2);
    const at = new Date(Date.now() - 5.5 * 3_600_000).toISOString();
    expect(await count(`since=${at}`)).toBe(5);
    const lines = await (await server.request("GET", "/api/v1/audit?format=ndjson&kinds=call&since=270m&until=150m")).text();
    expect(lines.trimEnd().split("\n")).toHaveLength(2);
    expect((await server.ask("GET", "/audit?kinds=call&since=150m")).body.lines).toHaveLength(2);
    for (const query of [
      "since=yesterday",
      "since=2026-13-45",
      "since=2026-01-01T10:00",
      "until=1y",
      "since=1h&until=2h",
      "since=1h&from=5",
    ])
      for (const list of ["calls", "audit"]) {
        const { status, body } = await server.ask("GET", `/${list}?${query}`);
        expect([query, status, body.detail]).toEqual([query, 400, expect.stringMatching(/since|until/)]);
      }
  });
});

describe("a range of time", () => {
  it("is read from times with an offset, dates and durations", () => {
    const now = Date.parse("2026-11-19T12:00:00Z");
    expect(readTimeRange({ since: "2026-11-19T10:00:00+02:00", until: "2026-11-19T09:00Z" }, now)).toEqual({
      from: Date.parse("2026-11-19T08:00:00Z"),
      to: Date.parse("2026-11-19T09:00:00Z"),
    });
    expect(readTimeRange({ since: "2026-11-18", until: "90s" }, now)).toEqual({
      from: Date.parse("2026-11-18T00:00:00Z"),
      to: now - 90_000,
    });
    expect(readTimeRange({ from: 5 }, now)).toEqual({ from: 5 });
  });
});

describe("a line of CSV", () => {
  it.each([
    ["=1+1", `"'=1+1"`],
    ["+49 30", `"'+49 30"`],
    ["-2+3", `"'-2+3"`],
    ["@SUM(A1)", `"'@SUM(A1)"`],
    ["\t=1", `"'\t=1"`],
    ["\r=1", `"'\r=1"`],
    ["＝1+1", `"'＝1+1"`],
    ['say "hi", then;\nleave', '"say ""hi"", then;\nleave"'],
    [-5, "-5"],
    [true, "true"],
    [undefined, ""],
    [null, ""],
    [{ a: 1 }, '"{""a"":1}"'],
  ])("quotes every text and keeps spreadsheets from running it: %j", (value, cell) => {
    expect(csvLine<unknown>({ a: (row) => row, b: () => 1 }, value)).toBe(`${cell},1\r\n`);
  });
});

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}
