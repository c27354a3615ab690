import { describe, expect, it } from "vitest";
import type { TrustConfig } from "../../../src/config/config.ts";
import type { ConfiguredSource } from "../../../src/rack/settings/settings.ts";
import { sourceTrustOf } from "../../../src/rack/trust/source-trust.ts";

const url = "https://shop.example/mcp";

function trustOf(origin: string, own?: object, trust?: TrustConfig): ReturnType<typeof sourceTrustOf> {
  const source = { id: "shop", source: { url, ...(own && { trust: own }) }, origin } as ConfiguredSource;
  return sourceTrustOf("mcp:shop", { sources: [source], trust });
}

describe("how the definitions of a source are treated", () => {
  it("a source of the file is scanned first, and its changes are held", () => {
    expect(trustOf("toolrack.yaml")).toMatchObject({ isOwn: false, first: "scan", change: "hold", enforce: true, configId: "shop" });
  });

  it("a source that was added over the API waits for a person, whatever the file says of sources in general", () => {
    expect(trustOf("record source-shop")).toMatchObject({ first: "ask", change: "hold" });
    expect(trustOf("record source-shop", undefined, { first: "pin", change: "follow" })).toMatchObject({ first: "ask", change: "follow" });
    expect(trustOf("record source-shop", { first: "scan", change: "keep-old" })).toMatchObject({ first: "scan", change: "keep-old" });
  });

  it("what a source says of itself counts more than what the file says of all", () => {
    const all = { first: "ask", change: "keep-old", enforce: false } as const;
    expect(trustOf("toolrack.yaml", undefined, all)).toMatchObject(all);
    expect(trustOf("toolrack.yaml", { first: "pin", change: "follow" }, all)).toMatchObject({
      first: "pin",
      change: "follow",
      enforce: false,
    });
  });

  it.each(["code", "module:tools.ts", "pack:files", "plugin:mail"])("%s is our own code, and is followed", (id) => {
    expect(sourceTrustOf(id, { sources: [], trust: { first: "ask", change: "hold" } })).toMatchObject({
      isOwn: true,
      first: "pin",
      change: "follow",
      isConfigured: false,
    });
  });

  it.each(["mcp:shop", "openapi:shop", "workers:web", "other:thing"])("%s without settings is not our own code", (id) => {
    expect(sourceTrustOf(id, { sources: [], trust: undefined })).toMatchObject({
      isOwn: false,
      first: "scan",
      change: "hold",
      enforce: true,
    });
    expect(sourceTrustOf(id, { sources: [], trust: { first: "ask" } })).toMatchObject({ first: "ask" });
  });
});
