import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it, onTestFinished } from "vitest";
import { exitCodes } from "../src/errors.ts";
import { run } from "./_run.ts";

/** A server whose owner's programs look for it in this state folder. */
async function start(): Promise<{ url: string; folder: string; environment: Record<string, string>; close(): Promise<void> }> {
  const folder = temporaryFolder();
  const environment = { XDG_STATE_HOME: join(folder, "state") };
  const server = await openServer({
    folder,
    config: { agents: { boss: {} } },
    port: 0,
    consoleFolder: false,
    logLevel: "silent",
    environment,
  });
  onTestFinished(() => server.close({ graceMs: 0 }));
  return { url: server.url, folder, environment: { ...environment, TOOLRACK_URL: server.url }, close: () => server.close({ graceMs: 0 }) };
}

const servers = (folder: string): string => join(folder, "state", "toolrack", "servers");

describe("the owner at the command line", () => {
  it("SD10: is known to a server of their own on this machine, without a key, also once there are keys", async () => {
    const { folder, environment } = await start();
    expect((await run(["keys", "create", "boss", "--roles", "admin"], { folder, environment })).code).toBe(0);
    expect((await run(["keys", "list"], { folder, environment })).code).toBe(0);
    const [file] = readdirSync(servers(folder));
    expect(statSync(join(servers(folder), file!)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(servers(folder), file!), "utf8")).not.toContain("tro_");
  });

  it("SD10: is nobody for another user of the machine, who does not find the token", async () => {
    const { folder, url } = await start();
    const environment = { XDG_STATE_HOME: join(folder, "elsewhere"), TOOLRACK_URL: url };
    expect((await run(["keys", "list"], { folder, environment })).code).toBe(exitCodes.refused.code);
  });

  it("SD10: tells the token to no other server: neither to one at another address, nor to one that came after", async () => {
    const { folder, environment, url, close } = await start();
    const seen: (string | undefined)[] = [];
    const thief = createServer((incoming, outgoing) => {
      seen.push(incoming.headers.authorization);
      outgoing.end("{}");
    });
    await new Promise<void>((resolve) => thief.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void thief.close());
    const { port } = thief.address() as AddressInfo;
    await run(["keys", "list", "--url", `http://127.0.0.1:${port}`], { folder, environment });
    // What a server leaves behind that was killed: its process is not there any more.
    const ended = { url: `http://127.0.0.1:${port}`, tokenFile: join(folder, ".toolrack", "owner.token"), pid: 2 ** 22 + 1 };
    mkdirSync(servers(folder), { recursive: true });
    writeFileSync(join(servers(folder), `127.0.0.1-${port}.json`), JSON.stringify(ended));
    await run(["keys", "list", "--url", ended.url], { folder, environment });
    expect(seen).toEqual([undefined, undefined]);
    await close();
    expect(readdirSync(servers(folder))).not.toContain(`127.0.0.1-${new URL(url).port}.json`);
  });

  it("SD10: gets a link to the console that signs in once; whoever is not the owner gets none", async () => {
    const { folder, environment, url } = await start();
    const { output } = await run(["open", "--json"], { folder, environment });
    const link = new URL((JSON.parse(output) as { url: string }).url);
    expect(link.origin).toBe(url);
    expect(link.search).toBe("");
    const code = link.hash.slice("#sign-in=".length);
    const exchange = (): Promise<Response> =>
      fetch(`${url}/api/v1/sign-in`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ code }) });
    const { token } = (await (await exchange()).json()) as { token: string };
    expect((await fetch(`${url}/api/v1/keys`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
    const again = await exchange();
    expect(again.status).toBe(401);
    expect(again.headers.get("set-cookie")).toBeNull();
    const stranger = { XDG_STATE_HOME: join(folder, "elsewhere"), TOOLRACK_URL: url };
    expect((await run(["open"], { folder, environment: stranger })).code).toBe(exitCodes.refused.code);
    expect((await run(["open"], { folder, environment: {} })).code).toBe(exitCodes.usage.code);
  });
});
