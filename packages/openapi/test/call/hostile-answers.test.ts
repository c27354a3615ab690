import { ToolError } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { nextPageOf } from "../../src/call/next-page.ts";
import { project } from "../../src/call/project.ts";
import { callOpenApi, readOpenApi } from "../../src/index.ts";
import { openLoopback } from "./loopback.ts";

function errorOf(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    expect(ToolError.is(error), String(error)).toBe(true);
    return error as Error;
  }
  throw new Error("nothing was thrown");
}

const items = (count: number) => Array.from({ length: count }, (_, id) => ({ id, a: { b: 1 } }));
const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

describe("the fields of an answer", () => {
  it("are refused when they take too many steps", () => {
    const deep: unknown = JSON.parse(nested(60));
    const cases = [
      ["$..*..*..*..*..*", deep],
      [`$${"[*,*,*,*,*,*,*,*]".repeat(12)}`, deep],
      ["$[?count($..*)>1]", items(2_000)],
      ["$[?$[?$[?@.id>=0]]]", items(2_000)],
      ["$[?$[?@ == $]]", items(2_000)],
      ["$[?@ == $[0]]", Array.from({ length: 1_100 }, () => Array.from({ length: 1_000 }, () => 1))],
    ] as const;
    for (const [path, data] of cases) expect(errorOf(() => project(data, [path])).message, path).toMatch(/more than [\d,]+ steps/);
    expect(project(items(2_000), ["$[?@.id < 2].id"])).toEqual([0, 1]);
    expect((project(items(2_000), ["$..b"]) as unknown[]).length).toBe(2_000);
  });

  it("are refused when they are nested too deeply or too long", () => {
    for (const path of [
      `$[?${"(".repeat(400)}@.a${")".repeat(400)}]`,
      `$[?${"!".repeat(900)}@.a]`,
      `$${"[?@".repeat(300)}${"]".repeat(300)}`,
      `$[?${"length(".repeat(140)}@${")".repeat(140)}]`,
    ])
      expect(errorOf(() => project([1], [path])).message).toMatch(/nested more than 50 deep/);
    expect(errorOf(() => project([1], [`$['${"a".repeat(5_000_000)}']`])).message).toMatch(/characters/);
    expect(errorOf(() => project([1], ["a.".repeat(100_000)])).message).toMatch(/characters/);
    expect(project(JSON.parse(nested(20_000)), ["$..x"])).toEqual([]);
  });
});

describe("an answer of an API", () => {
  it("that is nested too deeply is one clear error", async () => {
    const { host } = await openLoopback(() => ({ headers: { "content-type": "application/json" }, body: nested(200_000) }));
    const { tools } = readOpenApi(
      { openapi: "3.0.3", servers: [{ url: `http://${host}` }], paths: { "/x": { get: {} } } },
      { allowHosts: [host] },
    );
    const error: unknown = await callOpenApi(tools[0]!, {}).catch((thrown: unknown) => thrown);
    expect(ToolError.is(error), String(error)).toBe(true);
    expect((error as Error).message).toMatch(/nested more than 1,000 deep/);
  });

  it("has its next page in any correct Link header, and a broken one is passed over", () => {
    const plan = { parameters: [], security: [] } as unknown as Parameters<typeof nextPageOf>[0];
    const next = (link: string) => nextPageOf(plan, "https://a.example/1", { status: 200, headers: { link }, contentType: "", pages: 1 });
    const found = "https://a.example/2";
    for (const link of [
      '<https://a.example/2>; rel="next"',
      "<https://a.example/2>;rel=next",
      '<https://a.example/0>; rel=prev, <https://a.example/2>; title="a; b"; REL="last next"',
      '<https://a.example/2> ; rel = "next" ; type=x',
    ])
      expect(next(link), link).toBe(found);
    expect(next('<https://a.example/2>; title="; rel=next"')).toBeUndefined();
    expect(next('<https://a.example/2>; rel="nextish"')).toBeUndefined();
    expect(next(`<https://a.example/2>${";rel= ".repeat(800)}a${" next".repeat(1_000)}"x`)).toBeUndefined();
  });

  it("has its next page behind a cursor among the first 100 keys that look like one, and each parameter is looked at once", () => {
    let looked = 0;
    const parameters = ["Page_Token", "cursor", "pageToken", ...items(50).map(({ id }) => `filter${id}`)].map((name) => ({
      in: "query",
      get name() {
        looked++;
        return name;
      },
    }));
    const plan = { parameters, security: [] } as unknown as Parameters<typeof nextPageOf>[0];
    const next = (data: unknown) => nextPageOf(plan, "https://a.example/1", { status: 200, headers: {}, contentType: "", pages: 1, data });
    const keys = (count: number) => Object.fromEntries(items(count).map(({ id }) => [`next${id}`, 1]));
    expect(next({ ...keys(99), nextPageToken: "t" })).toBe("https://a.example/1?Page_Token=t");
    expect(next({ ...keys(60), meta: { ...keys(39), next_cursor: 7 } })).toBe("https://a.example/1?cursor=7");
    looked = 0;
    expect(next({ ...keys(100), nextPageToken: "t" })).toBeUndefined();
    expect(next({ ...keys(60), meta: { ...keys(40), next_cursor: 7 } })).toBeUndefined();
    expect(looked).toBeLessThanOrEqual(2 * 3 * parameters.length);
  });
});
