import { describe, expect, it } from "vitest";
import { createRouter } from "../../src/http/router.ts";

function routerOf(...routes: readonly string[]): ReturnType<typeof createRouter<string>> {
  const router = createRouter<string>();
  for (const route of routes) {
    const [method, path] = route.split(" ") as [string, string];
    router.add(method, path, route);
  }
  return router;
}

describe("the router", () => {
  const router = routerOf(
    "GET /tools",
    "GET /tools/{name}",
    "POST /tools/{name}/call",
    "GET /tools/all/{kind}",
    "PUT /tools/{name}",
    "GET /",
  );

  it("finds what answers for a method and a path, with the parameters as they were sent", () => {
    expect(router.find("GET", "/")).toEqual({ work: "GET /", params: {} });
    expect(router.find("GET", "/tools")).toEqual({ work: "GET /tools", params: {} });
    expect(router.find("GET", "/tools/a%2Fb")).toEqual({ work: "GET /tools/{name}", params: { name: "a%2Fb" } });
    expect(router.find("POST", "/tools/fs.read/call")).toEqual({ work: "POST /tools/{name}/call", params: { name: "fs.read" } });
  });

  it("takes what is written out before a parameter, and the parameter where that leads nowhere", () => {
    expect(router.find("GET", "/tools/all/new")?.work).toBe("GET /tools/all/{kind}");
    expect(router.find("GET", "/tools/all")).toEqual({ work: "GET /tools/{name}", params: { name: "all" } });
    expect(router.find("POST", "/tools/call/call")).toEqual({ work: "POST /tools/{name}/call", params: { name: "call" } });
  });

  it.each([
    "",
    "/tool",
    "/tools/",
    "/tools//call",
    "/tools/a/call/",
    "//tools",
    "tools",
    "*",
    "/tools/a/b/c",
    "/__proto__",
    "/constructor/a",
  ])("has nothing at %j", (path) => {
    expect(router.find("GET", path)).toBeUndefined();
    expect(router.find("POST", path)).toBeUndefined();
    expect(router.methods(path)).toEqual([]);
  });

  it("tells which methods a path has", () => {
    expect(router.methods("/tools/x")).toEqual(["GET", "PUT"]);
    expect(router.find("DELETE", "/tools/x")).toBeUndefined();
  });

  it("refuses two answers for one path", () => {
    expect(() => routerOf("GET /a/{x}", "GET /a/{y}")).toThrow("GET /a/{y} is there twice");
  });
});
