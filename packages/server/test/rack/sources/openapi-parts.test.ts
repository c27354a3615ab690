import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { createOpenApiSource, identityOfDocument } from "../../../src/rack/sources/openapi/create-openapi.ts";
import { readDocument } from "../../../src/rack/sources/openapi/read-document.ts";
import { createStoredDocuments } from "../../../src/rack/sources/openapi/stored-documents.ts";
import type { Records } from "../../../src/rack/store/records.ts";

/** Records of a store, as far as documents need them. */
function openRecords() {
  const kept = new Map<string, { context: Record<string, unknown> }>();
  let writes = 0;
  const records = {
    get: (id: string) => kept.get(id),
    fetch: async (id: string) => kept.get(id),
    write: async ({ id, context }: { id: string; context: Record<string, unknown> }) => void (writes++, kept.set(id, { context })),
    remove: async (id: string) => void kept.delete(id),
  };
  return { kept, writes: () => writes, documents: createStoredDocuments(records as unknown as Records) };
}

describe("a document that is kept in the store", () => {
  it("is read as it was written, under one id for one text", async () => {
    const { documents, writes } = openRecords();
    const id = await documents.write("openapi: 3.1.0");
    expect(id).toMatch(/^openapi-document-[0-9a-f]{64}$/);
    expect(await documents.write("openapi: 3.1.0")).toBe(id);
    expect(writes()).toBe(1);
    expect(await documents.write("openapi: 3.0.0")).not.toBe(id);
    expect(await documents.read(id)).toBe("openapi: 3.1.0");
    await documents.remove(id);
    expect(await documents.read(id)).toBeUndefined();
  });

  it.each([
    ["another text", gzipSync("openapi: 3.0.0")],
    ["no archive", Buffer.from("openapi: 3.1.0")],
    ["an archive without end", gzipSync(Buffer.alloc(40_000_000))],
  ])("is refused when somebody put %s in its place", async (_, bytes) => {
    const { documents, kept } = openRecords();
    const id = await documents.write("openapi: 3.1.0");
    kept.set(id, { context: { gzip: bytes.toString("base64") } });
    await expect(documents.read(id)).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: `The stored document ${id} was changed. Add the source again.`,
    });
  });

  it("is not unpacked beyond the size of the largest document", async () => {
    const { documents } = openRecords();
    const id = await documents.write(" ".repeat(33_554_433));
    await expect(documents.read(id)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    const largest = await documents.write(" ".repeat(33_554_432));
    expect(await documents.read(largest)).toHaveLength(33_554_432);
  });

  it("is refused when it does not fit into a record", async () => {
    const { documents, writes } = openRecords();
    await expect(documents.write(randomBytes(800_000).toString("hex"))).rejects.toThrow(
      /too large to be kept in the store: \d+ bytes when compressed, of at most 1000000\. Give its url/,
    );
    expect(writes()).toBe(0);
  });
});

describe("the identity of a source", () => {
  const identity = (config: object): string => identityOfDocument({ config });

  it("changes with the place of the document and with the address of the API, not with what is chosen", () => {
    const url = "https://api.example.com/openapi.json";
    const others = [
      { url: "https://api.example.net/openapi.json" },
      { file: "openapi.json" },
      { document: "x" },
      { url, baseUrl: "https://api.example.net" },
    ];
    expect(new Set([{ url }, ...others].map(identity)).size).toBe(5);
    expect(identity({ url, include: ["GET"], refreshMinutes: 5 })).toBe(identity({ url }));
    // The text of a stored document changes definitions, as that of a file does.
    expect(identity({ document: "x" })).toBe(identity({ document: "y" }));
  });
});

describe("a source over a document", () => {
  const open = (config: object, fault?: string) =>
    createOpenApiSource("openapi:pets", {
      id: "pets",
      config,
      folder: "/nowhere",
      log: { debug() {}, info() {}, warn() {}, error() {} },
      stored: async () => '{ "openapi": "3.1.0", "paths": { "/pets": { "get": {} } } }',
      served: () => undefined,
      fault: () => fault,
      onRead: async () => undefined,
      clock: { after: () => Object.assign(() => undefined, { release: () => undefined }) },
    } as unknown as Parameters<typeof createOpenApiSource>[1]);
  const list = (opened: ReturnType<typeof open>) => opened.source.list({ signal: new AbortController().signal } as never);

  it("is read while its files may be read, which is asked each time, and until it is closed", async () => {
    const opened = open({ document: "x" });
    expect((await list(opened)).length).toBe(1);
    await expect(list(open({ document: "x" }, "sources.pets.openapi.file is a link."))).rejects.toThrow("is a link");
    await opened.source.close?.();
    await expect(list(opened)).rejects.toThrow('The source "pets" is closed.');
  });

  it("is searched where the configuration says so, and read on schedule only there", async () => {
    expect([open({ document: "x", search: true }).isSearched(), open({ document: "x" }).isSearched()]).toEqual([true, false]);
    expect([open({ document: "x", refreshMinutes: 1 }).source.watch, open({ document: "x" }).source.watch]).toEqual([
      expect.any(Function),
      undefined,
    ]);
  });
});

describe("a file that is no document of a sensible size", () => {
  const folder = (): string => temporaryFolder({ "api.json": "{}", "large.json": "{}" });
  const read = (config: object, place: string) =>
    readDocument(config, {
      folder: place,
      place: "sources.pets.openapi",
      signal: new AbortController().signal,
      fetch: undefined as never,
      stored: async () => undefined,
    });

  it("is refused and not waited for, if it is a pipe into which nobody writes", async () => {
    const place = folder();
    execFileSync("mkfifo", [join(place, "pipe.json")]);
    const refused = (key: string) => ({
      code: "CONFIG_INVALID",
      message: `sources.pets.openapi.${key}: "pipe.json" is not a file. Name the file of the document.`,
    });
    await expect(read({ file: "pipe.json" }, place)).rejects.toMatchObject(refused("file"));
    await expect(read({ file: "api.json", overlays: ["pipe.json"] }, place)).rejects.toMatchObject(refused("overlays.0"));
    await expect(read({ file: "api.json", documents: { "b.json": "pipe.json" } }, place)).rejects.toMatchObject(
      refused("documents.b.json"),
    );
  });

  it("is refused if it is a folder, or has 50 MB", async () => {
    const place = folder();
    mkdirSync(join(place, "folder.json"));
    truncateSync(join(place, "large.json"), 50_000_000);
    await expect(read({ file: "folder.json" }, place)).rejects.toThrow('"folder.json" is not a file.');
    await expect(read({ file: "large.json" }, place)).rejects.toThrow(
      '"large.json" is larger than 33554432 bytes. Remove what is not needed.',
    );
    expect((await read({ file: "api.json" }, place)).text).toBe("{}");
  });
});
