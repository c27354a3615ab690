import { isDeepStrictEqual } from "node:util";

/** The tools of the escape rows: some answer what is not plain data. */
export function escapeTools() {
  const host = { process, handle: () => process };
  return {
    get_secret: async () => ({ value: "hunter2-canary", owner: "ops", list: ["b", "a", "c"], n: 42 }),
    read_mail: async () => ({ from: "eve@x.test", subject: "hi", body: "please send it", flag: true, items: [1, 2, 3] }),
    get_public: async () => ({ text: "hello", n: 7, items: ["x", "y"] }),
    echo: async (input) => input,
    send: async (input) => {
      const keys = Object.keys(input ?? {}).toSorted();
      if (!isDeepStrictEqual(keys, ["text", "to"]) || typeof input.to !== "string" || typeof input.text !== "string")
        throw new Error("The input needs to and text.");
      return { sent: true };
    },
    big: async () => ({ text: "x".repeat(4_000_000) }),
    hostile_error: async () => {
      throw Object.assign(new Error("failed", { cause: host }), { handle: host, path: process.cwd() });
    },
    hostile_throw: async () => {
      throw new Proxy(host, { get: () => process });
    },
    hostile_proto: async () => JSON.parse('{"__proto__": {"polluted": 1}, "a": 1}'),
    hostile_thenable: async () => ({ inner: 1, then: undefined, get x() { return process; } }), // prettier-ignore
    hostile_function: async () => ({ f: () => process, g: class {}, s: Symbol("x") }),
    hostile_proxy: async () => new Proxy({ a: 1 }, { ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ value: host, enumerable: true, configurable: true, writable: true }) }), // prettier-ignore
    hostile_getter: async () => ({ get now() { return process.cwd(); } }), // prettier-ignore
    hostile_cycle: async () => {
      const cycle = { a: 1 };
      cycle.self = cycle;
      return cycle;
    },
    hostile_host: async () => ({ process, date: new Date(0), map: new Map([[1, 2]]), buffer: Buffer.from("x") }),
  };
}

export const escapeLabels = { get_secret: ["secret"], read_mail: ["untrusted"] };

/** What a program could have changed. */
export function hostState() {
  const names = (object) => Object.getOwnPropertyNames(object).toSorted();
  return [Object, Function, Array, String, Number, Map, Set, Date, RegExp, Promise, Error, JSON, Math].map((thing) => [
    names(thing),
    thing.prototype === undefined ? [] : names(thing.prototype),
  ]);
}

/** Paths and versions of the host in anything that a program or its reader sees. */
export function hostMistake(result) {
  const text = JSON.stringify(result);
  for (const part of [process.cwd(), process.version, process.versions.v8, "node_modules", "file://", "node:internal"]) {
    if (text.includes(part)) return `shows ${part}`;
  }
  return undefined;
}

/** What of an outcome is not as a row expects; undefined when all is. */
export function expectationMistake(expect, result) {
  if (expect.anyOf !== undefined) {
    const mistakes = expect.anyOf.map((one) => expectationMistake(one, result));
    return mistakes.includes(undefined) ? undefined : mistakes.join("; or ");
  }
  if (expect.fails !== undefined) {
    if (result.ok) return "it ran";
    if (!expect.fails.includes(result.error.kind)) return `failed as ${result.error.kind}: ${result.error.message}`;
    return expect.limit === undefined || expect.limit.includes(result.error.limit) ? undefined : `limit ${result.error.limit}`;
  }
  const wantsValue = "value" in expect || "notValue" in expect || "valueAt" in expect || expect.ok === true;
  if (wantsValue && !result.ok) return `failed: ${result.error.message}`;
  if ("value" in expect && !isDeepStrictEqual(result.value, expect.value)) return `value ${JSON.stringify(result.value)}`;
  if ("notValue" in expect && isDeepStrictEqual(result.value, expect.notValue)) return "the value that must not be";
  for (const [key, value] of Object.entries(expect.valueAt ?? {}))
    if (!isDeepStrictEqual(result.value?.[key], value)) return `value at ${key}`;
  if (expect.maxValueBytes !== undefined && (!result.ok || JSON.stringify(result.value).length > expect.maxValueBytes))
    return "too much output";
  if (expect.maxLogBytes !== undefined && JSON.stringify(result.logs).length > expect.maxLogBytes) return "too much logged";
  if (expect.labels !== undefined) {
    const mistake = labelMistake(expect.labels, result.labels);
    if (mistake !== undefined) return `labels of the value: ${mistake}`;
  }
  if (expect.log !== undefined) {
    const log = result.logs[expect.log.index];
    const mistake = log === undefined ? "no such line" : labelMistake(expect.log, log.labels);
    if (mistake !== undefined) return `log: ${mistake}`;
  }
  return expect.call === undefined ? undefined : callMistake(expect.call, result);
}

function callMistake(expect, result) {
  const call = result.calls.filter(({ tool }) => tool === expect.tool)[expect.index];
  if (call === undefined) return `call of ${expect.tool} is missing`;
  if (expect.input !== undefined && !isDeepStrictEqual(call.input, expect.input)) return `input ${JSON.stringify(call.input)}`;
  const mistake = labelMistake(expect, call.labels);
  if (mistake !== undefined) return `call: ${mistake}`;
  for (const [pointer, one] of Object.entries(expect.path ?? {})) {
    const wrong = labelMistake(one, call.inputLabels[pointer] ?? []);
    if (wrong !== undefined) return `call at ${pointer}: ${wrong}`;
  }
  return undefined;
}

function labelMistake({ contains = [], lacks = [] }, labels) {
  for (const label of contains) if (!labels.includes(label)) return `lacks ${label}`;
  for (const label of lacks) if (labels.includes(label)) return `has ${label}`;
  return undefined;
}
