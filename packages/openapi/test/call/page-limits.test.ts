import { describe, expect, it } from "vitest";
import { project } from "../../src/call/project.ts";
import { callOpenApi, readOpenApi } from "../../src/index.ts";
import { openLoopback } from "./loopback.ts";

const documentAt = (host: string, ...methods: string[]): object => ({
  openapi: "3.0.3",
  servers: [{ url: `http://${host}` }],
  paths: { "/x": Object.fromEntries(methods.map((method) => [method, {}])) },
});

describe("pages that are read in one call", () => {
  it("stop at ten million characters where no limit is given", async () => {
    const { host, met } = await openLoopback(({ url }) => {
      const page = Number(/page=(\d+)/.exec(url)?.[1] ?? 1);
      return { body: { items: ["x".repeat(5_500_000)], next: `/x?page=${page + 1}` } };
    });
    const [tool] = readOpenApi(documentAt(host, "get"), { allowHosts: [host] }).tools;
    expect((await callOpenApi(tool!, {}, { pages: 4 })).pages).toBe(2);
    expect(met.length).toBe(2);
  });

  it("are those of a GET: nothing is sent twice that adds or changes something", async () => {
    const { host, met } = await openLoopback(() => ({ body: { items: [1], next: "/x?page=2" } }));
    const { tools } = readOpenApi(documentAt(host, "get", "put", "post", "delete"), { allowHosts: [host] });
    for (const tool of tools) await callOpenApi(tool, {}, { pages: 2 });
    expect(met.map(({ method, url }) => `${method} ${url}`).sort()).toEqual(["DELETE /x", "GET /x", "GET /x?page=2", "POST /x", "PUT /x"]);
  });

  it("are offered by the tools of a GET alone", () => {
    const { tools } = readOpenApi(documentAt("a.example", "get", "put", "post", "delete"), { maxPages: 5, resultFields: true });
    const offered = tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema["properties"] as object)]);
    expect(Object.fromEntries(offered)).toEqual({
      get_x: ["max_pages", "result_fields"],
      put_x: ["result_fields"],
      post_x: ["result_fields"],
      delete_x: ["result_fields"],
    });
  });
});

describe("the parts of an answer that are asked for", () => {
  it("are fifty at most", () => {
    const names = Array.from({ length: 51 }, (_, index) => `f${index}`);
    expect(project({ f49: 1, f50: 2 }, names.slice(0, 50))).toEqual({ f49: 1 });
    expect(() => project({}, names)).toThrow("a list of at most 50 names or JSONPaths");
  });
});
