import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { connect } from "../../src/connection/connect.ts";

async function open(folder: string, environment: Readonly<Record<string, string>>) {
  const connection = await connect({ folder, environment: { HOME: folder, ...environment }, usesTools: false });
  afterThisTest(() => connection.close());
  return connection;
}

describe("a connection to the store of a folder", () => {
  it("takes the master key from the environment that it is given, not from that of the process", async () => {
    const folder = temporaryFolder();
    const connection = await open(folder, { TOOLRACK_MASTER_KEY: randomBytes(32).toString("base64") });
    await connection.ask("PUT /secrets/{name}", { params: { name: "token" }, body: { value: "abcdefgh" } });
    expect(existsSync(path.join(folder, ".toolrack"))).toBe(true);
    expect(existsSync(path.join(folder, ".toolrack", "master.key"))).toBe(false);
  });

  it("makes a master key of its own where the environment has none", async () => {
    const folder = temporaryFolder();
    const connection = await open(folder, {});
    await connection.ask("PUT /secrets/{name}", { params: { name: "token" }, body: { value: "abcdefgh" } });
    expect(existsSync(path.join(folder, ".toolrack", "master.key"))).toBe(true);
  });
});
