import type { ServerResponse } from "node:http";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { listenHttp, type ListenOptions } from "../../../src/serve/http/listen-http.ts";

async function listening(options: ListenOptions = {}) {
  const answer = (_request: unknown, response: ServerResponse, caller?: object): void => void response.end(JSON.stringify(caller ?? null));
  const served = await listenHttp(answer, options);
  afterThisTest(() => served.close());
  return { ...served, get: async (url = served.url) => fetch(url).then(async (got) => [got.status, await got.text()]) };
}

describe("an endpoint on a port of its own", () => {
  it("answers at its path, with or without a query, and nowhere else", async () => {
    const { url, port, get } = await listening();
    expect(url).toBe(`http://127.0.0.1:${port}/mcp`);
    expect(await get(`${url}?a=/b`)).toEqual([200, "null"]);
    expect(await get(`${url}/more`)).toEqual([404, ""]);
    expect(await get(url.replace("/mcp", "/?/mcp"))).toEqual([404, ""]);
    const other = await listening({ path: "/tools", host: "localhost" });
    expect(other.url).toBe(`http://localhost:${other.port}/tools`);
    expect(await other.get()).toEqual([200, "null"]);
  });

  it("writes an address of version 6 as addresses are written", async () => {
    const { url, port, get } = await listening({ host: "::1" });
    expect(url).toBe(`http://[::1]:${port}/mcp`);
    expect(await get()).toEqual([200, "null"]);
  });

  it.each<[what: string, signIn: NonNullable<ListenOptions["signIn"]>, answer: [number, string]]>([
    ["a caller", () => ({ user: "ada" }) as never, [200, '{"user":"ada"}']],
    ["nobody", () => undefined, [401, ""]],
    ["a caller, later", async () => ({ user: "ada" }) as never, [200, '{"user":"ada"}']],
    ["nobody, later", async () => undefined, [401, ""]],
    ["an error", () => { throw new Error("broken"); }, [500, ""]], // prettier-ignore
    ["an error, later", () => Promise.reject(new Error("broken")), [500, ""]],
  ])("lets in whom the sign-in knows: %s", async (_what, signIn, answer) => {
    const { get } = await listening({ signIn });
    expect(await get()).toEqual(answer);
  });

  it("is open to other machines only with a sign-in", async () => {
    await expect(listening({ host: "0.0.0.0" })).rejects.toMatchObject({
      code: "CONFIG_INVALID",
      message: 'Listening on "0.0.0.0" opens every tool to everyone who can reach it. Set signIn, or listen on 127.0.0.1.',
    });
  });

  it("says that its port is taken, and frees it when closed", async () => {
    const first = await listening();
    await expect(listening({ port: first.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
    await first.close();
    expect((await listening({ port: first.port })).port).toBe(first.port);
  });
});
