import type { ToolError } from "@toolrack/core";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { callOpenApi, readOpenApi } from "../../src/index.ts";
import { openLoopback, type Reply } from "./loopback.ts";

const { waits } = vi.hoisted(() => ({ waits: [] as { ms: number; signal: AbortSignal | undefined }[] }));

/** No wait takes time here: how long each would be is kept instead. */
vi.mock("node:timers/promises", async (original) => ({
  ...(await original<typeof import("node:timers/promises")>()),
  setTimeout: async (ms: number, value: unknown, options?: { signal?: AbortSignal }) => {
    waits.push({ ms, signal: options?.signal });
    return value;
  },
}));

beforeEach(() => void waits.splice(0));

function toolAt(host: string, method: string, retries: number) {
  const document = { openapi: "3.2.0", servers: [{ url: `http://${host}` }], paths: { "/x": { [method]: {} } } };
  return readOpenApi(document, { allowHosts: [host], retries }).tools[0]!;
}

/** Calls an API that answers the same each time; answers how often it was asked, how long each wait was, and how the call failed. */
async function failing(reply: Reply, retries: number, method = "get") {
  const { host, met } = await openLoopback(() => reply);
  const error = (await callOpenApi(toolAt(host, method, retries), {}).catch((thrown: unknown) => thrown)) as ToolError;
  return { sent: met.length, waited: waits.map(({ ms }) => ms), code: error.code };
}

describe("a request that fails for a time", () => {
  it.each([0, 1, 2])("is sent again %d times, and no more", async (retries) => {
    expect(await failing({ status: 503 }, retries)).toMatchObject({ sent: retries + 1, code: "SOURCE_FAILED" });
  });

  it.each([
    ["get", 3],
    ["head", 3],
    ["options", 3],
    ["query", 3],
    ["put", 3],
    ["delete", 3],
    ["post", 1],
    ["patch", 1],
  ])("of the method %s is sent %d times where two retries are allowed", async (method, sent) => {
    expect((await failing({ status: 503 }, 2, method)).sent).toBe(sent);
  });

  it("waits twice as long each time, and half a minute at most", async () => {
    const { waited } = await failing({ status: 500 }, 9);
    expect(waited).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it.each([
    [{ "retry-after": "7" }, [7_000]],
    [{ "retry-after": "0" }, [0]],
    [{ "retry-after": "30" }, [30_000]],
    [{ "x-ratelimit-reset": "9" }, [9_000]],
    [{ "retry-after": "31" }, []],
  ])("waits as long as the API asks: %j", async (headers, waited) => {
    // The rate gate is asked before the first request alone.
    expect(await failing({ status: 503, headers }, 1)).toMatchObject({ sent: waited.length + 1, waited });
  });

  it("is sent again when the server could not be reached, as often as it may be", async () => {
    const attempts = async (method: string, retries: number): Promise<number> => {
      waits.splice(0);
      // Nothing listens on the port 1.
      const error = await callOpenApi(toolAt("127.0.0.1:1", method, retries), {}).catch((thrown: unknown) => thrown as ToolError);
      expect(error).toMatchObject({ code: "TOOL_FAILED" });
      return waits.length;
    };
    expect([await attempts("get", 0), await attempts("get", 2), await attempts("post", 2), await attempts("patch", 2)]).toEqual([
      0, 2, 0, 0,
    ]);
  });

  it("is not waited for when the call is cancelled", async () => {
    const { signal } = new AbortController();
    const { host } = await openLoopback(() => ({ status: 503 }));
    await callOpenApi(toolAt(host, "get", 1), {}, { signal }).catch(() => undefined);
    expect(waits.map((wait) => wait.signal)).toEqual([signal]);
  });
});
