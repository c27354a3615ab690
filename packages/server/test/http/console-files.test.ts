import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { readConsoleFiles } from "../../src/http/console-files.ts";
import type { HttpRequest, WholeReply } from "../../src/http/transport/exchange.ts";

function openConsole(
  more: Readonly<Record<string, string>> = {},
): (path: string, method?: string, etag?: string) => WholeReply | undefined {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "assets"));
  const files: Readonly<Record<string, string>> = {
    "index.html": "<start>",
    "icon.svg": "<svg>",
    "odd.bin": "x",
    "assets/app-1a2b3c4d.js": "run()",
    "assets/plain.css": "a {}",
    ...more,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const built = readConsoleFiles(folder)!;
  return (path, method = "GET", etag) =>
    built.answer({ method, path, header: (name: string) => (name === "if-none-match" ? etag : undefined) } as unknown as HttpRequest);
}

const textOf = (reply: WholeReply | undefined): string | undefined =>
  reply?.body === undefined ? undefined : new TextDecoder().decode(reply.body as Uint8Array);

describe("the files of the console", () => {
  it("are answered by their path, and every page by the start page", () => {
    const answer = openConsole();
    for (const path of ["/", "/index.html", "/live", "/system/", "/tools/fs.read"]) expect(textOf(answer(path)), path).toBe("<start>");
    for (const page of ["sessions", "canvases", "automation", "programs", "openapi", "stored-tool"])
      expect(answer(`/${page}`)?.status, page).toBe(200);
    expect(textOf(answer("/assets/app-1a2b3c4d.js"))).toBe("run()");
    for (const path of [
      "/api",
      "/api/v2",
      "/mcp",
      "/assets/gone.js",
      "/healthz",
      "/nosuch",
      "/tools/",
      "/assets",
      "/.well-known/x",
      "/metrics",
      "/health",
      "/openapi.json",
      "/gone.js",
    ])
      expect(answer(path), path).toBeUndefined();
    expect(answer("/", "POST")).toBeUndefined();
    expect(answer("/", "HEAD")?.status).toBe(200);
  });

  it("let styles inside of a page only where canvases of agents are shown, and no script anywhere", () => {
    const answer = openConsole();
    const policyOf = (path: string): string => String(answer(path)!.headers!["content-security-policy"]);
    expect(policyOf("/sessions")).toContain("style-src 'self';");
    expect(policyOf("/canvases")).toContain("style-src 'self' 'unsafe-inline';");
    expect(policyOf("/canvases").replace(" 'unsafe-inline'", "")).toBe(policyOf("/sessions"));
  });

  it("tell a person with a browser that there is no such page, with status 404", async () => {
    const folder = temporaryFolder({ "index.html": "<start>" });
    const header = (name: string): string | undefined => (name === "accept" ? "text/html,*/*" : undefined);
    const ask = (path: string): WholeReply | undefined =>
      readConsoleFiles(folder)!.answer({ method: "GET", path, header } as unknown as HttpRequest);
    expect([ask("/nosuch")?.status, textOf(ask("/nosuch"))]).toEqual([404, "<start>"]);
    for (const path of ["/api/v2", "/mcp", "/gone.js", "/health/x"]) expect(ask(path), path).toBeUndefined();
  });

  it("have the type of their name, run nothing of elsewhere, and are kept by browsers only where their name has their hash", () => {
    const answer = openConsole();
    const { headers } = answer("/")!;
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
      "x-content-type-options": "nosniff",
    });
    expect(headers["content-security-policy"]!.split("; ")).toEqual([
      "default-src 'none'",
      ...["script-src", "style-src"].map((part) => `${part} 'self'`),
      "img-src 'self' data:",
      ...["font-src", "connect-src", "manifest-src", "worker-src"].map((part) => `${part} 'self'`),
      ...["base-uri", "form-action", "frame-ancestors"].map((part) => `${part} 'none'`),
    ]);
    expect(answer("/assets/app-1a2b3c4d.js")!.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
    });
    expect(answer("/assets/plain.css")!.headers).toMatchObject({ "content-type": "text/css; charset=utf-8", "cache-control": "no-cache" });
    expect(answer("/odd.bin")!.headers["content-type"]).toBe("application/octet-stream");
  });

  it.each([
    ["html", "text/html; charset=utf-8"],
    ["js", "text/javascript; charset=utf-8"],
    ["css", "text/css; charset=utf-8"],
    ["json", "application/json"],
    ["map", "application/json"],
    ["svg", "image/svg+xml"],
    ["png", "image/png"],
    ["ico", "image/x-icon"],
    ["woff2", "font/woff2"],
    ["webmanifest", "application/manifest+json"],
    ["txt", "text/plain; charset=utf-8"],
  ])("that end with .%s are %s", (ending, type) => {
    expect(openConsole({ [`file.${ending}`]: "x" })(`/file.${ending}`)!.headers["content-type"]).toBe(type);
  });

  it("are not sent again to who has them", () => {
    const answer = openConsole();
    const { etag } = answer("/")!.headers;
    expect(etag).toMatch(/^"[\w-]{24}"$/);
    const same = answer("/", "GET", etag);
    expect(same).toEqual({ status: 304, headers: answer("/")!.headers });
    expect(answer("/", "GET", '"other"')?.status).toBe(200);
    expect(answer("/icon.svg")!.headers["etag"]).not.toBe(etag);
  });

  it("are sent in the smallest form that the browser takes and the build made", () => {
    const folder = temporaryFolder({ "index.html": "<start>", "index.html.br": "br", "index.html.gz": "gz", "icon.svg": "<svg>" });
    const built = readConsoleFiles(folder)!;
    const ask = (path: string, accept?: string, etag?: string): WholeReply | undefined => {
      const header = (name: string): string | undefined =>
        name === "accept-encoding" ? accept : name === "if-none-match" ? etag : undefined;
      return built.answer({ method: "GET", path, header } as unknown as HttpRequest);
    };
    const sent = (path: string, accept?: string): unknown[] => {
      const reply = ask(path, accept);
      return [textOf(reply), reply?.headers["content-encoding"], reply?.headers["vary"]];
    };
    expect(sent("/", "gzip, deflate, br, zstd")).toEqual(["br", "br", "accept-encoding"]);
    expect(sent("/canvases", "GZIP;q=0.5")).toEqual(["gz", "gzip", "accept-encoding"]);
    for (const accept of [undefined, "", "identity", "br;q=0, deflate"])
      expect(sent("/", accept)).toEqual(["<start>", undefined, "accept-encoding"]);
    expect(sent("/icon.svg", "br")).toEqual(["<svg>", undefined, undefined]);
    expect(ask("/canvases", "br")!.headers["content-security-policy"]).toBe(ask("/canvases")!.headers["content-security-policy"]);
    expect(ask("/", "br")!.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(ask("/index.html.br")).toBeUndefined();
    const { etag } = ask("/", "br")!.headers;
    expect(ask("/", "br", etag)!.status).toBe(304);
    expect(ask("/", "gzip", etag)!.status).toBe(200);
  });

  it("are none where nothing is built", () => {
    expect(readConsoleFiles(join(temporaryFolder(), "nothing"))).toBeUndefined();
    expect(readConsoleFiles(temporaryFolder())).toBeUndefined();
  });
});
