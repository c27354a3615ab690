import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import type { HttpRequest, WholeReply } from "./transport/exchange.ts";
import { acceptsEncoding } from "./reply/compress.ts";
import { securityHeaders } from "./reply/respond.ts";

/** The built web console, from a folder. */
export interface ConsoleFiles {
  /** The file at this path, or the start page for a page of the console; otherwise undefined. */
  answer(request: HttpRequest): WholeReply | undefined;
}

/** The encodings in which the build may have put a file next to it, the smallest first, with the ending of that file. */
const encodings: readonly (readonly [encoding: string, ending: string])[] = [
  ["br", ".br"],
  ["gzip", ".gz"],
];

interface ConsoleFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
  /** The same, encoded: the smallest first. */
  readonly encoded: readonly (Omit<ConsoleFile, "encoded"> & { readonly encoding: string })[];
}

/** Reads the folder once. Paths are looked up in that list, so none can lead out of it. Undefined if nothing is built. */
export function readConsoleFiles(folder: string): ConsoleFiles | undefined {
  const files = new Map<string, ConsoleFile>();
  try {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      const location = join(folder, name);
      if (statSync(location).isFile()) files.set(`/${name.replaceAll("\\", "/")}`, toFile(name, readFileSync(location)));
    }
  } catch {
    return undefined;
  }
  for (const [path, file] of files) files.set(path, withEncoded(file, path, files));
  for (const path of files.keys()) if (isEncoded(path)) files.delete(path);
  const start = files.get("/index.html");
  if (start === undefined) return undefined;
  const canvases = withHeaders(start, { "content-security-policy": canvasPagePolicy });

  return {
    answer(request) {
      const { method, path } = request;
      if (method !== "GET" && method !== "HEAD") return undefined;
      const file = files.get(path) ?? (isCanvasPage(path) ? canvases : isPage(path) ? start : undefined);
      if (file === undefined) return mayBePage(request) ? { status: 404, headers: start.headers, body: start.bytes } : undefined;
      const accepted = request.header("accept-encoding");
      const { headers, bytes: body } = file.encoded.find(({ encoding }) => acceptsEncoding(accepted, encoding)) ?? file;
      return request.header("if-none-match") === headers["etag"] ? { status: 304, headers } : { status: 200, headers, body };
    },
  };
}

function isEncoded(path: string): boolean {
  return encodings.some(([, ending]) => path.endsWith(ending));
}

/** With the encoded forms that lie next to it. */
function withEncoded(file: ConsoleFile, path: string, files: ReadonlyMap<string, ConsoleFile>): ConsoleFile {
  const found = encodings.flatMap(([encoding, ending]) => {
    const bytes = files.get(`${path}${ending}`)?.bytes;
    return bytes === undefined ? [] : [{ encoding, bytes }];
  });
  if (found.length === 0) return file;
  const headers = Object.freeze({ ...file.headers, vary: "accept-encoding" });
  const encoded = found.map(({ encoding, bytes }) => ({
    encoding,
    bytes,
    headers: Object.freeze({ ...headers, "content-encoding": encoding, etag: etagOf(bytes) }),
  }));
  return { ...file, headers, encoded };
}

function withHeaders(file: ConsoleFile, more: Readonly<Record<string, string>>): ConsoleFile {
  const headers = Object.freeze({ ...file.headers, ...more });
  return { ...file, headers, encoded: file.encoded.map((one) => ({ ...one, headers: Object.freeze({ ...one.headers, ...more }) })) };
}

/** The pages of the console: "/" and "/tools/fs.read", but not "/healthz" or "/assets/gone.js", which would look as if they were there. */
function isPage(path: string): boolean {
  return /^\/(?:tools\/.+|(?:policy|agents|connect|live|sessions|automation|changes|system|programs|openapi|stored-tool)\/?)?$/.test(path);
}

function isCanvasPage(path: string): boolean {
  return /^\/canvases\/?$/.test(path);
}

/** A person with a browser is told by the console that there is no such page; a program gets the answer of the server. */
function mayBePage(request: HttpRequest): boolean {
  const { path } = request;
  if (/^\/(?:api|mcp|assets|\.well-known|metrics|health|openapi\.json)(?:\/|$)/.test(path)) return false;
  return extname(path) === "" && request.header("accept")?.includes("text/html") === true;
}

function toFile(name: string, bytes: Uint8Array<ArrayBuffer>): ConsoleFile {
  const isHashed = /^assets[\\/].*-[\w-]{8,}\.\w+$/.test(name);
  return {
    bytes,
    encoded: [],
    headers: Object.freeze({
      ...securityHeaders,
      "content-security-policy": consolePolicy,
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
      "content-type": types.get(extname(name)) ?? "application/octet-stream",
      "cache-control": isHashed ? "public, max-age=31536000, immutable" : "no-cache",
      etag: etagOf(bytes),
    }),
  };
}

function etagOf(bytes: Uint8Array): string {
  return `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 24)}"`;
}

/** Only scripts and styles of this server, nothing inline: text of a tool in a page stays text. */
const consolePolicy = policyWith("style-src 'self'");

/** A frame with a document of its own is held to the policy of the page around it, too: styles of canvases are inside of them. */
const canvasPagePolicy = policyWith("style-src 'self' 'unsafe-inline'");

function policyWith(styles: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    styles,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const types: ReadonlyMap<string, string> = new Map([
  [".html", "text/html; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".json", "application/json"],
  [".map", "application/json"],
  [".svg", "image/svg+xml"],
  [".png", "image/png"],
  [".ico", "image/x-icon"],
  [".woff2", "font/woff2"],
  [".webmanifest", "application/manifest+json"],
  [".txt", "text/plain; charset=utf-8"],
]);
