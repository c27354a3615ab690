import { defineTool, type ToolDefinition, type ToolSource } from "@toolrack/core";
import { listAudit } from "@toolrack/store";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver, type TestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import type { RackConfig } from "../../../src/config/config.ts";
import type { ToolOverlay } from "../../../src/config/overlay.ts";
import type { Rack } from "../../../src/rack/rack.ts";
import { serverActor } from "../../../src/rack/store/open-store.ts";
import { idOf } from "../../../src/rack/trust/overlay-record.ts";

const send = defineTool({
  name: "send",
  description: "Sends a letter.",
  inputSchema: {
    type: "object",
    properties: {
      place: { type: "string" },
      bcc: { type: "string" },
      kind: { enum: ["letter", "parcel", "bomb"] },
      copies: { type: "integer" },
    },
  },
  metadata: { limits: { timeoutMs: 9_000 } },
  handler: (input) => input,
}) as ToolDefinition;

const post = (): ToolSource => ({ id: "mcp:post", identity: "post-1", list: () => [send] });

interface Opened {
  readonly rack: Rack;
  readonly admin: TestServer["ask"];
  readonly curator: TestServer["ask"];
}

async function open(overlay?: ToolOverlay, config: RackConfig = {}): Promise<Opened> {
  const overlays = overlay && { post: { send: overlay } };
  const rack = await openTestRack({
    config: { store: { memory: true }, trust: { enforce: false }, ...config, ...(overlays && { overlays }) },
  });
  await rack.registry.addSource(post());
  const server = serverOver(rack);
  return { rack, admin: server.ask, curator: await server.as("cura", "curator") };
}

const put = (ask: TestServer["ask"], overlay: ToolOverlay) => ask("PUT", "/tools/send/overlay", { overlay });
const call = async ({ rack }: Opened, input: object = {}): Promise<unknown> => {
  const result = await rack.registry.invoke("send", input, { caller: { owner: true, agent: "local" } });
  return result.ok ? result.data : result.code;
};

const strict: ToolOverlay = {
  parameters: { place: { value: "/safe" }, bcc: { hidden: true }, kind: { enum: ["letter", "parcel"] }, copies: { maximum: 3 } },
  limits: { timeoutMs: 5_000 },
  annotations: { destructive: true },
};

describe("TD2: a curator's overlay over that of the file", () => {
  it("keeps what is hidden, pinned and narrowed there, and adds to it", async () => {
    const opened = await open(strict);
    const { rack, curator } = opened;
    expect(
      await put(curator, { description: "Posts.", parameters: { copies: { minimum: 1 } }, limits: { timeoutMs: 4_000 } }),
    ).toMatchObject({
      status: 200,
      body: {
        loosens: [],
        over: "options",
        overlay: {
          ...strict,
          description: "Posts.",
          parameters: { ...strict.parameters, copies: { minimum: 1, maximum: 3 } },
          limits: { timeoutMs: 4_000 },
        },
      },
    });
    const tool = rack.registry.get("send")!;
    expect(tool).toMatchObject({ description: "Posts.", metadata: { limits: { timeoutMs: 4_000 }, annotations: { destructive: true } } });
    expect(Object.keys(tool.inputSchema["properties"] as object)).toEqual(["kind", "copies"]);
    expect(await call(opened, { copies: 2 })).toEqual({ place: "/safe", copies: 2 });
    for (const input of [{ place: "/etc" }, { bcc: "eve" }, { kind: "bomb" }, { copies: 4 }, { copies: 0 }])
      expect(await call(opened, input)).toBe("INPUT_INVALID");
  });

  it.each<[string, ToolOverlay]>([
    ["/parameters/place/value", { parameters: { place: { value: "/etc" } } }],
    ["/parameters/place/value", { parameters: { place: { hidden: false } } }],
    ["/parameters/bcc/hidden", { parameters: { bcc: { hidden: false } } }],
    ["/parameters/bcc/value", { parameters: { bcc: { value: "eve" } } }],
    ["/parameters/kind/enum", { parameters: { kind: { enum: ["letter", "bomb"] } } }],
    ["/parameters/kind/value", { parameters: { kind: { value: "bomb" } } }],
    ["/parameters/copies/maximum", { parameters: { copies: { maximum: 4 } } }],
    ["/limits/timeoutMs", { limits: { timeoutMs: 6_000 } }],
    ["/annotations/destructive", { annotations: { destructive: false } }],
  ])("may not loosen %s: an admin may, and everybody is shown where", async (pointer, overlay) => {
    const opened = await open(strict);
    const { rack, admin, curator } = opened;
    const refused = await put(curator, overlay);
    expect(refused).toMatchObject({ status: 403, body: { code: "FORBIDDEN", detail: expect.stringContaining(pointer) as string } });
    expect(refused.body.detail).toContain("Only an admin");
    expect(rack.overlays.get("send")).toMatchObject({ overlay: strict, loosens: [] });
    expect(await put(admin, overlay)).toMatchObject({ status: 200, body: { loosens: [pointer], state: "applied" } });
    expect((await curator("GET", "/overlays")).body.overlays).toMatchObject([{ loosens: [pointer] }]);
    expect((await listAudit(rack.store, { kinds: ["overlay-set"] }))[0]).toMatchObject({ body: { loosens: [pointer] } });
    expect(rack.overlays.get("send")!.overlay).not.toEqual(strict);
  });

  it("may not show a tool that the file hides", async () => {
    const opened = await open({ hidden: true });
    expect(await put(opened.curator, { hidden: false })).toMatchObject({ status: 403 });
    await put(opened.curator, { description: "Posts." });
    expect(opened.rack.registry.get("send")).toBeUndefined();
    expect(await put(opened.admin, { hidden: false })).toMatchObject({ status: 200, body: { loosens: ["/hidden"] } });
    expect(opened.rack.registry.get("send")).toBeDefined();
  });

  it("that an older version stored without a role loosens nothing: doctor says so, and only an admin removes it", async () => {
    const { rack, admin, curator } = await open(strict);
    await put(admin, { tags: ["mail"], parameters: { place: { value: "/etc" } } });
    expect(rack.overlays.get("send")).toMatchObject({ loosens: ["/parameters/place/value"] });
    const id = idOf("mcp:post", "send", false);
    await rack.store.as(serverActor).mergeContext(id, { byRole: null, loosens: null });
    await expect.poll(() => rack.overlays.get("send")!.overlay).toEqual({ ...strict, tags: ["mail"] });
    expect(rack.settings.problems.join("\n")).toMatch(
      /would allow what is said before it: \/parameters\/place\/value\. That has no effect/,
    );
    expect(await curator("DELETE", "/tools/send/overlay")).toMatchObject({ status: 403 });
    expect(await put(curator, { tags: ["post"] })).toMatchObject({ status: 200 });
    expect(await admin("DELETE", "/tools/send/overlay")).toMatchObject({ status: 200 });
    expect(rack.settings.problems.join("\n")).not.toContain("no effect");
  });

  it("does not exceed a limit of the configuration where the tool has none of its own", async () => {
    const opened = await open(undefined, { limits: { maxResultBytes: 1_000, timeoutMs: 2_000 } });
    expect(await put(opened.curator, { limits: { maxResultBytes: 5_000 } })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("/limits/maxResultBytes") as string },
    });
    expect(await put(opened.curator, { limits: { timeoutMs: 8_000 } })).toMatchObject({ status: 200, body: { loosens: [] } });
    expect(await put(opened.admin, { limits: { maxResultBytes: 5_000 } })).toMatchObject({
      status: 200,
      body: { loosens: ["/limits/maxResultBytes"] },
    });
  });
});

describe("TD2: a limit that is looser than the tool's own", () => {
  it("is refused for everybody, and takes the tool out of service where the file has it", async () => {
    const opened = await open();
    for (const ask of [opened.curator, opened.admin])
      for (const timeoutMs of [9_001, false as const])
        expect(await put(ask, { limits: { timeoutMs } })).toMatchObject({
          status: 422,
          body: { detail: expect.stringContaining("its own limit timeoutMs is 9000") as string },
        });
    const { rack } = await open({ limits: { timeoutMs: 9_001 } });
    expect(rack.registry.get("send")).toBeUndefined();
    expect(rack.settings.problems.join("\n")).toContain("would allow more");
  });
});

describe("TD2: a curator's overlay over that of an admin", () => {
  it("keeps what the admin said, also when it is removed", async () => {
    const opened = await open();
    const { rack, admin, curator } = opened;
    await admin("PUT", "/tools/send/overlay", { overlay: strict, reason: "safe" });
    expect(await put(curator, { parameters: { place: { value: "/etc" } } })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("what owner does not: /parameters/place/value") as string },
    });
    expect(await put(curator, { parameters: { copies: { maximum: 2 } } })).toMatchObject({
      status: 200,
      body: { loosens: [], by: "cura" },
    });
    expect(await put(curator, { tags: ["mail"] })).toMatchObject({ status: 200 });
    expect(rack.overlays.get("send")!.overlay).toEqual({ ...strict, tags: ["mail"] });
    expect(await call(opened, { copies: 3 })).toEqual({ place: "/safe", copies: 3 });
    expect(await curator("DELETE", "/tools/send/overlay")).toMatchObject({
      status: 200,
      body: { overlay: { tags: ["mail"] }, loosens: [] },
    });
    expect(rack.overlays.get("send")).toMatchObject({ overlay: strict, by: "owner", reason: "safe" });
    expect(await curator("DELETE", "/tools/send/overlay")).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("only an admin") as string },
    });
    expect(await call(opened, { kind: "bomb" })).toBe("INPUT_INVALID");
    const removed = await admin("DELETE", "/tools/send/overlay");
    expect(removed.body.loosens).toEqual([
      "/parameters/place/value",
      "/parameters/bcc/hidden",
      "/parameters/kind/enum",
      "/parameters/copies/maximum",
      "/limits/timeoutMs",
      "/annotations/destructive",
    ]);
    expect(await call(opened, { kind: "bomb" })).toEqual({ kind: "bomb" });
  });

  it("is not made an admin's by a confirmation of a curator, nor a curator's", async () => {
    const { rack, admin, curator } = await open();
    await put(admin, strict);
    expect(await curator("POST", "/tools/send/overlay/confirmation")).toMatchObject({ status: 200 });
    expect(await curator("DELETE", "/tools/send/overlay")).toMatchObject({ status: 403 });
    await put(curator, { tags: ["mail"] });
    expect(await curator("POST", "/tools/send/overlay/confirmation")).toMatchObject({ status: 200 });
    expect(rack.overlays.get("send")!.overlay).toEqual({ ...strict, tags: ["mail"] });
    expect(await curator("DELETE", "/tools/send/overlay")).toMatchObject({ status: 200 });
    expect(rack.overlays.get("send")!.overlay).toEqual(strict);
  });

  it("stays of nobody's role, and its author's, when a curator confirms what an older version stored", async () => {
    const { rack, admin, curator } = await open();
    await put(admin, strict);
    await rack.store.as(serverActor).mergeContext(idOf("mcp:post", "send", false), { byRole: null });
    expect(await curator("DELETE", "/tools/send/overlay")).toMatchObject({ status: 403 });
    expect(await curator("POST", "/tools/send/overlay/confirmation")).toMatchObject({ status: 200, body: { by: "owner" } });
    expect(await curator("DELETE", "/tools/send/overlay")).toMatchObject({ status: 403 });
    expect(rack.overlays.get("send")).toMatchObject({ overlay: strict, by: "owner" });
    expect(await admin("POST", "/tools/send/overlay/confirmation")).toMatchObject({ status: 200, body: { by: "owner" } });
    expect(await admin("DELETE", "/tools/send/overlay")).toMatchObject({ status: 200 });
  });

  it("is replaced by an admin's, which may be looser than the one before", async () => {
    const { rack, admin, curator } = await open();
    await put(admin, strict);
    await put(curator, { tags: ["mail"] });
    expect(await put(admin, { parameters: { bcc: { hidden: true } } })).toMatchObject({ status: 200 });
    expect(rack.overlays.get("send")!.overlay).toEqual({ parameters: { bcc: { hidden: true } } });
  });

  it("is not written over one that an admin set in the meantime", async () => {
    const { rack } = await open();
    const curator = { agent: "cura", principal: "key cura" };
    const [first, second] = await Promise.allSettled([
      rack.overlays.set("send", strict, "anna"),
      rack.overlays.set("send", { tags: ["mail"] }, curator),
    ]);
    expect(first.status).toBe("fulfilled");
    if (second.status === "rejected") expect(second.reason).toMatchObject({ code: "STATE_INVALID" });
    expect(rack.overlays.get("send")!.overlay).toMatchObject(strict);
  });
});

describe("TD2: an overlay that was made for another program", () => {
  const replaceProgram = async ({ rack }: Opened): Promise<void> => {
    await rack.registry.removeSource("mcp:post");
    await rack.registry.addSource({ ...post(), identity: "post-2" });
  };
  const confirm = (ask: TestServer["ask"], name = "send") => ask("POST", `/tools/${name}/overlay/confirmation`);

  it("is neither confirmed nor set again by a curator where an admin said something: only by an admin", async () => {
    const opened = await open();
    const { rack, admin, curator } = opened;
    await put(admin, { name: "mail", parameters: { place: { value: "/safe" } } });
    await replaceProgram(opened);
    const refused = {
      status: 403,
      body: { code: "FORBIDDEN", detail: expect.stringMatching(/owner said.*another server or program than "mcp:post".*admin/) as string },
    };
    expect(await confirm(curator, "mail")).toMatchObject(refused);
    expect(await curator("PUT", "/tools/mail/overlay", { overlay: { name: "mail", tags: ["post"] } })).toMatchObject(refused);
    expect(rack.registry.has("mail")).toBe(false);
    expect(rack.overlays.get("mail")).toMatchObject({ state: "unfit", by: "owner" });
    expect(await confirm(admin, "mail")).toMatchObject({ status: 200, body: { state: "applied" } });
    expect(rack.registry.has("mail")).toBe(true);
  });

  it("is refused also where a curator added to what an admin said, until that is removed by an admin", async () => {
    const opened = await open();
    const { rack, admin, curator } = opened;
    await put(admin, { parameters: { place: { value: "/safe" } } });
    await put(curator, { tags: ["mail"] });
    await replaceProgram(opened);
    expect(await confirm(curator)).toMatchObject({ status: 403 });
    expect(await put(curator, { tags: ["post"] })).toMatchObject({ status: 403 });
    expect(await curator("DELETE", "/tools/send/overlay")).toMatchObject({ status: 200 });
    expect(rack.overlays.get("send")).toMatchObject({ state: "unfit", by: "owner" });
    expect(await admin("DELETE", "/tools/send/overlay")).toMatchObject({ status: 200 });
    expect(await put(curator, { tags: ["post"] })).toMatchObject({ status: 200, body: { state: "applied" } });
  });

  it("is confirmed and set again by a curator where only curators said something", async () => {
    const opened = await open();
    await put(opened.curator, { tags: ["mail"] });
    await replaceProgram(opened);
    expect(opened.rack.registry.has("send")).toBe(false);
    expect(await confirm(opened.curator)).toMatchObject({ status: 200, body: { state: "applied" } });
    expect(await put(opened.curator, { tags: ["post"] })).toMatchObject({ status: 200, body: { state: "applied" } });
  });
});

describe("TD2: a limit that every call has by default", () => {
  const plain = defineTool({
    name: "send",
    description: "Sends.",
    inputSchema: { type: "object" },
    handler: () => "sent",
  }) as ToolDefinition;
  const openPlain = async (config: RackConfig = {}): Promise<Opened> => {
    const opened = await open(undefined, config);
    await opened.rack.registry.removeSource("mcp:post");
    await opened.rack.registry.addSource({ ...post(), list: () => [plain] });
    return opened;
  };

  it.each<[string, ToolOverlay["limits"]]>([
    ["timeoutMs", { timeoutMs: false }],
    ["timeoutMs", { timeoutMs: 300_001 }],
    ["maxResultBytes", { maxResultBytes: 262_145 }],
  ])("is not lifted by a curator: %s", async (name, limits) => {
    const { admin, curator } = await openPlain();
    expect(await put(curator, { limits: limits! })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining(`/limits/${name}`) as string },
    });
    expect(await put(admin, { limits: limits! })).toMatchObject({
      status: 200,
      body: { loosens: [`/limits/${name}`], overlay: { limits } },
    });
  });

  it("leaves a curator what is tighter, what has no default, and what the configuration sets", async () => {
    const { curator } = await openPlain();
    const limits = { timeoutMs: 300_000, maxResultBytes: 1_000, concurrency: 1_000 };
    expect(await put(curator, { limits })).toMatchObject({ status: 200, body: { loosens: [], overlay: { limits } } });
    const wide = await openPlain({ limits: { timeoutMs: 900_000 } });
    expect(await put(wide.curator, { limits: { timeoutMs: 600_000 } })).toMatchObject({ status: 200, body: { loosens: [] } });
  });
});

describe("an honest curator", () => {
  it("sets, changes and removes what a curator set", async () => {
    const opened = await open();
    const { rack, curator } = opened;
    await put(curator, { parameters: { place: { value: "/a" } } });
    expect(await put(curator, { parameters: { place: { value: "/b" } } })).toMatchObject({ status: 200, body: { loosens: [] } });
    expect(await call(opened)).toEqual({ place: "/b" });
    expect(await curator("DELETE", "/tools/send/overlay")).toMatchObject({ status: 200, body: { loosens: ["/parameters/place/value"] } });
    expect(rack.overlays.get("send")).toBeUndefined();
  });
});
