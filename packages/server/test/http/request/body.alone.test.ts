import { describe, expect, it, vi } from "vitest";
import { createHeavyWork, type HeavyWork } from "../../../src/http/limits/heavy-work.ts";
import { type BodyReader, readJsonBody, readRawBody } from "../../../src/http/request/body.ts";
import type { BodyFault, HttpRequest } from "../../../src/http/transport/exchange.ts";
import { defaultLimits } from "../../../src/http/limits/limits.ts";

interface Sent {
  readonly type?: string;
  readonly length?: string;
  readonly hasBody?: boolean;
  /** What arrives: bytes, a fault, or nothing at all. */
  readonly arrives?: string | { readonly fault: BodyFault };
  readonly limits?: object;
}

interface Read {
  readonly body: Promise<unknown> | undefined;
  readonly steps: string[];
}

const requestOf = ({ type = "application/json", length, hasBody = true, arrives }: Sent, steps: string[]): HttpRequest =>
  ({
    hasBody,
    header: (name: string) => ({ "content-type": type, "content-length": length })[name],
    readBody(maxBytes: number, take: (bytes: Uint8Array) => void, fail: (fault: BodyFault) => void) {
      steps.push(`reads ${maxBytes}`);
      if (typeof arrives === "string") take(new TextEncoder().encode(arrives));
      else if (arrives !== undefined) fail(arrives.fault);
    },
  }) as unknown as HttpRequest;

function readerOf({ limits }: Sent, steps: string[]): BodyReader {
  const heavy: HeavyWork = {
    hold: (caller, work) => (steps.push(`${caller} holds`), work(async () => void steps.push("turn"))),
    run: (caller, work) => (steps.push(`${caller} waits`), Promise.resolve(work())),
    turn: async (caller) => void steps.push(`${caller} takes a turn`),
  };
  return { limits: { ...defaultLimits, ...limits }, heavy, caller: "key ada" };
}

function read(sent: Sent): Read {
  const steps: string[] = [];
  return { body: readJsonBody(requestOf(sent, steps), readerOf(sent, steps)), steps };
}

const closing = { headers: { connection: "close" } };
const large = JSON.stringify("x".repeat(65_535));
const whole = `reads ${defaultLimits.bodyBytes}`;

const kept = new Set<() => void>();
vi.mock(import("../../../src/http/limits/reminders.ts"), async (original) => {
  const { remindAfter } = await original();
  return {
    remindAfter(ms, remind) {
      const cancel = remindAfter(ms, () => (kept.delete(forget), remind()));
      const forget = (): void => (kept.delete(forget), cancel());
      kept.add(forget);
      return forget;
    },
  };
});

describe("the JSON body of a request", () => {
  it("is not waited for any longer once it is there, or cannot come any more", async () => {
    const limits = { bodyBytes: 10, bodyTimeoutMs: 600_000 };
    await read({ arrives: "1", limits }).body;
    await expect(read({ arrives: { fault: "broken-off" }, limits }).body).rejects.toThrow();
    await readRawBody(requestOf({ arrives: "1" }, []), readerOf({ limits }, []));
    await expect(readRawBody(requestOf({ arrives: { fault: "broken-off" } }, []), readerOf({ limits }, []))).rejects.toThrow();
    expect(kept.size).toBe(0);
    void read({ limits }).body;
    expect(kept.size).toBe(1);
    for (const forget of kept) forget();
  });

  it("is none where none was sent", async () => {
    expect(read({ hasBody: false }).body).toBeUndefined();
    expect(read({ length: "0", type: "text/plain" }).body).toBeUndefined();
    expect(await read({ arrives: "" }).body).toBeUndefined();
  });

  it.each([
    "application/json",
    "application/json; charset=utf-8",
    "Application/JSON",
    'application/json ; charset="UTF-8"',
    "application/merge-patch+json",
    "application/vnd.a.b-c+json;charset=utf-8",
  ])("may be of the type %s", async (type) => {
    expect(await read({ type, arrives: '{"a":1}' }).body).toEqual({ a: 1 });
  });

  it.each(["text/plain", "application/jsonx", "application/json; charset=latin1", "application/json, text/plain", "text/json", ""])(
    "may not be of the type %j, and is not read then",
    (type) => {
      const steps: string[] = [];
      const reader = { limits: defaultLimits, heavy: createHeavyWork(defaultLimits), caller: "key ada" };
      expect(() => readJsonBody(requestOf({ type, arrives: "1" }, steps), reader)).toThrow(
        expect.objectContaining({
          status: 415,
          code: "MEDIA_TYPE_UNSUPPORTED",
          message: `The body must be application/json, not "${type}".`,
          options: closing,
        }),
      );
      expect(steps).toEqual([]);
    },
  );

  it("has a type that is shown with its beginning alone", () => {
    expect(() => read({ type: "x".repeat(100) })).toThrow(`not "${"x".repeat(80)}".`);
  });

  it("is read at once where it is small, and by turns where it is large, as it says or as it turns out", async () => {
    const small = read({ arrives: "[1]", length: "3" });
    expect([await small.body, small.steps]).toEqual([[1], [whole]]);
    const unsaid = read({ arrives: "[1]" });
    expect([await unsaid.body, unsaid.steps]).toEqual([[1], [whole]]);
    const edge = read({ arrives: "[1]", length: "65536" });
    expect([await edge.body, edge.steps]).toEqual([[1], [whole]]);
    const said = read({ arrives: "[1]", length: "65537" });
    expect([await said.body, said.steps]).toEqual([[1], ["key ada holds", whole, "turn"]]);
    const turnedOut = read({ arrives: large });
    expect([large.length, await turnedOut.body, turnedOut.steps]).toEqual([65_537, "x".repeat(65_535), [whole, "key ada waits"]]);
    const manyValues = JSON.stringify(Array.from({ length: 1_000 }, () => 1));
    for (const length of [undefined, String(manyValues.length)]) {
      const dense = read({ arrives: manyValues, ...(length !== undefined && { length }) });
      expect([((await dense.body) as unknown[]).length, dense.steps]).toEqual([1_000, [whole, "key ada takes a turn"]]);
    }
    const justSmall = read({ arrives: large.replace("x", "") });
    expect([await justSmall.body, justSmall.steps]).toEqual(["x".repeat(65_534), [whole]]);
  });

  it("is refused where it is too large: before it is read where it says so", async () => {
    const refused = { status: 413, code: "BODY_TOO_LARGE", message: "The body is larger than 10 bytes. Send less.", options: closing };
    const limits = { bodyBytes: 10 };
    expect(() => read({ length: "11", limits })).toThrow(expect.objectContaining(refused));
    expect(await read({ length: "10", arrives: "1", limits }).body).toBe(1);
    await expect(read({ arrives: { fault: "too-large" }, limits }).body).rejects.toMatchObject(refused);
  });

  it("is refused where it is broken off, is too slow, or is no JSON within the bounds", async () => {
    await expect(read({ arrives: { fault: "broken-off" } }).body).rejects.toMatchObject({
      status: 400,
      code: "JSON_INVALID",
      message: "The body ended prematurely.",
      options: closing,
    });
    await expect(read({ limits: { bodyTimeoutMs: 1 } }).body).rejects.toMatchObject({
      status: 408,
      code: "BODY_TOO_SLOW",
      message: "The body did not arrive within 1 ms.",
      options: closing,
    });
    const invalid = { status: 400, code: "JSON_INVALID" };
    await expect(read({ arrives: "{" }).body).rejects.toMatchObject(invalid);
    await expect(read({ arrives: "[[1]]", limits: { jsonDepth: 1 } }).body).rejects.toMatchObject(invalid);
    await expect(read({ arrives: "[1,2,3]", limits: { jsonValues: 2 } }).body).rejects.toMatchObject(invalid);
    expect(await read({ arrives: "[[1]]", limits: { jsonDepth: 2 } }).body).toEqual([[1]]);
  });
});

describe("the raw body of a request", () => {
  const raw = (sent: Sent, limits = { bodyBytes: 10, bodyTimeoutMs: 1_000 }, steps: string[] = []): Promise<string> =>
    readRawBody(requestOf(sent, steps), readerOf({ limits }, steps)).then((bytes) => new TextDecoder().decode(bytes));

  it("is its bytes, of whatever type, and empty where none was sent", async () => {
    expect(await raw({ arrives: "any", type: "text/plain" })).toBe("any");
    expect(await raw({ hasBody: false })).toBe("");
    expect(await raw({ arrives: "any", length: "10" })).toBe("any");
  });

  it("TD9: is counted before it arrives where it is large", async () => {
    const limits = { bodyBytes: 100_000, bodyTimeoutMs: 1_000 };
    for (const [length, steps] of [
      ["65536", ["reads 100000"]],
      ["65537", ["key ada holds", "reads 100000"]],
    ] as const) {
      const seen: string[] = [];
      await raw({ arrives: "any", length }, limits, seen);
      expect(seen).toEqual(steps);
    }
  });

  it("is limited in size and in time", async () => {
    expect(() => raw({ length: "11", arrives: "any" })).toThrow(expect.objectContaining({ status: 413 }));
    await expect(raw({ arrives: { fault: "too-large" } })).rejects.toMatchObject({ status: 413, code: "BODY_TOO_LARGE" });
    await expect(raw({ arrives: { fault: "broken-off" } })).rejects.toMatchObject({ status: 400, code: "JSON_INVALID" });
    await expect(raw({}, { bodyBytes: 10, bodyTimeoutMs: 1 })).rejects.toMatchObject({ status: 408, code: "BODY_TOO_SLOW" });
  });
});
