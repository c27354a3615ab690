import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { ToolResult } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { publicServer } from "@toolrack/testkit/public-servers";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { describe, expect, it } from "vitest";
import { findSourceFault } from "../../../src/config/checks/source-fault.ts";
import type { RackConfig, SourceConfig } from "../../../src/config/config.ts";
import type { Rack } from "../../../src/rack/rack.ts";

/** A project in whose folder `data`, outside of the workspace, the filesystem server works. */
async function openFiles(source: Partial<SourceConfig> = {}, more: RackConfig = {}): Promise<{ rack: Rack; folder: string; data: string }> {
  const folder = realpathSync(temporaryFolder());
  const data = join(folder, "data");
  mkdirSync(join(data, "inner"), { recursive: true });
  for (const name of ["notes.txt", ".env", "inner/deep.txt"]) writeFileSync(join(data, name), `This is ${name}.`);
  const files = { command: process.execPath, args: [publicServer("server-filesystem"), folder], ...source };
  const rack = await openTestRack({ folder, config: { sources: { files }, ...more } });
  await rack.sources.ready();
  return { rack, folder, data };
}

const read = (rack: Rack, path: string): Promise<ToolResult> => rack.registry.invoke("files__read_text_file", { path });

describe("the filesystem server of npm", () => {
  it("works in its own folder, outside of the workspace", async () => {
    const { rack, data } = await openFiles();
    expect(await read(rack, join(data, "notes.txt"))).toMatchObject({ ok: true, content: "This is notes.txt." });
    const written = { path: join(data, "new.txt"), content: "New." };
    expect(await rack.registry.invoke("files__write_file", written)).toMatchObject({ ok: true });
    const moved = { source: written.path, destination: join(data, "inner/new.txt") };
    expect(await rack.registry.invoke("files__move_file", moved)).toMatchObject({ ok: true });
    expect(await rack.registry.invoke("files__list_directory", { path: data })).toMatchObject({
      ok: true,
      content: expect.stringContaining("[FILE] notes.txt"),
    });
    expect(await read(rack, "/etc/hosts")).toMatchObject({ ok: false, code: "TOOL_FAILED" });
  });

  it("is refused what a path rule for every tool denies", async () => {
    const { rack, data } = await openFiles({}, { policy: { tools: { paths: [{ tool: "*", deny: [".env"] }] } } });
    expect(await read(rack, join(data, ".env"))).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    expect(await read(rack, join(data, "notes.txt"))).toMatchObject({ ok: true });
  });

  it("is refused the server's own files", async () => {
    const { rack, folder } = await openFiles();
    for (const path of [join(folder, ".toolrack"), ".toolrack/master.key", `${folder}/data/../.toolrack/toolrack.db`])
      expect(await read(rack, path), path).toMatchObject({ ok: false, code: "PATH_OUTSIDE_WORKSPACE" });
  });

  it("stays in the folder that its source declares, with every parameter that is declared", async () => {
    const paths = { folder: "data/inner", parameters: ["path", "source", "destination"] };
    const { rack, data } = await openFiles({ paths });
    expect(await read(rack, join(data, "inner/deep.txt"))).toMatchObject({ ok: true });
    expect(await read(rack, join(data, "notes.txt"))).toMatchObject({ ok: false, code: "PATH_OUTSIDE_WORKSPACE" });
    const moved = { source: join(data, "inner/deep.txt"), destination: join(data, "deep.txt") };
    expect(await rack.registry.invoke("files__move_file", moved)).toMatchObject({ ok: false, code: "PATH_OUTSIDE_WORKSPACE" });
  });

  it("is kept in a folder by an overlay, which can narrow the declared one and not widen it", async () => {
    const { rack, data } = await openFiles({ paths: { folder: "data" } });
    const set = (folder: string) => rack.overlays.set("files__read_text_file", { paths: { folder } }, "ben");
    await set("data/inner");
    expect(await read(rack, join(data, "inner/deep.txt"))).toMatchObject({ ok: true });
    expect(await read(rack, join(data, "notes.txt"))).toMatchObject({ code: "PATH_OUTSIDE_WORKSPACE" });
    await set("/");
    expect(await read(rack, join(data, "notes.txt"))).toMatchObject({ ok: true });
    expect(await read(rack, join(data, "../x"))).toMatchObject({ code: "PATH_OUTSIDE_WORKSPACE" });
    const unknown = rack.overlays.set("files__read_text_file", { paths: { folder: "data", parameters: ["file"] } }, "ben");
    await expect(unknown).rejects.toThrow('it has no parameter "file"');
  });
});

describe("an API with a parameter that is called path", () => {
  it("gets any path of its own, and one of this machine only where its source declares it", async () => {
    const seen: string[] = [];
    const api = createServer(({ url = "" }, response) => {
      seen.push(url);
      response.setHeader("content-type", "application/json").end("{}");
    });
    await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
    afterThisTest(() => new Promise((resolve) => api.close(resolve)));
    const host = `127.0.0.1:${(api.address() as AddressInfo).port}`;
    const folder = temporaryFolder();
    const operation = {
      operationId: "list",
      parameters: [{ name: "path", in: "query", required: true, schema: { type: "string" } }],
      responses: {},
    };
    const document = { openapi: "3.1.0", info: { title: "Files", version: "1" }, paths: { "/files": { get: operation } } };
    writeFileSync(join(folder, "api.json"), JSON.stringify(document));
    const openapi = { file: "api.json", baseUrl: `http://${host}`, allowHosts: [host] };
    const rack = await openTestRack({ folder, config: { sources: { free: { openapi }, bound: { openapi, paths: { folder: "." } } } } });
    await rack.sources.ready();
    for (const path of ["/", "../src", "/etc/hosts"])
      expect(await rack.registry.invoke("free__list", { path }), path).toMatchObject({ ok: true });
    expect(seen).toEqual(["/files?path=%2F", "/files?path=..%2Fsrc", "/files?path=%2Fetc%2Fhosts"]);
    expect(await rack.registry.invoke("bound__list", { path: "/" })).toMatchObject({ ok: false, code: "PATH_OUTSIDE_WORKSPACE" });
    expect(await rack.registry.invoke("bound__list", { path: "x" })).toMatchObject({ ok: true });
  });
});

describe("paths of a source", () => {
  it("are refused for workers and for types of modules", () => {
    const paths = { folder: "." };
    expect(findSourceFault("gpu", { workers: {}, paths } as unknown as SourceConfig)).toContain("sources.gpu.paths can be set for");
    expect(findSourceFault("mine", { type: "ftp", paths })).toContain("sources.mine.paths can be set for");
    expect(findSourceFault("api", { openapi: { file: "a.json" }, paths })).toBeUndefined();
  });
});
