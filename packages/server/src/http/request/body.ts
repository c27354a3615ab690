import { isLargeJson, largeBytes } from "@toolrack/core/node";
import type { BodyFault, HttpRequest } from "../transport/exchange.ts";
import type { HeavyWork } from "../limits/heavy-work.ts";
import { parseJson } from "./json.ts";
import type { Limits } from "../limits/limits.ts";
import { Problem } from "../reply/problem.ts";
import { remindAfter } from "../limits/reminders.ts";

export interface BodyReader {
  readonly limits: Limits;
  /** The queue of large bodies. */
  readonly heavy: HeavyWork;
  /** The caller, for the limits. */
  readonly caller: string;
}

/** The JSON body of a request: limited in bytes, time, depth and values. Undefined if there is none. */
export function readJsonBody(request: HttpRequest, reader: BodyReader): Promise<unknown> | undefined {
  const { limits } = reader;
  if (!request.hasBody) return undefined;
  const length = request.header("content-length");
  if (length === "0") return undefined;
  const type = request.header("content-type") ?? "";
  if (!isJson(type)) {
    throw new Problem(415, "MEDIA_TYPE_UNSUPPORTED", `The body must be application/json, not "${type.slice(0, 80)}".`, {
      headers: closing,
    });
  }
  if (length !== undefined && Number(length) > limits.bodyBytes) throw tooLarge(limits);
  const { heavy, caller } = reader;
  if (length === undefined || Number(length) <= largeBytes)
    return readWhole(request, limits, (parse, bytes) => {
      if (bytes.length > largeBytes) return heavy.run(caller, parse);
      return isLargeJson(bytes) ? heavy.turn(caller).then(parse) : parse();
    });
  // Counted before it arrives, so that few large bodies of one caller are in memory. Parsing one cannot be interrupted.
  return heavy.hold(caller, (turn) => readWhole(request, limits, (parse) => turn().then(parse)));
}

/** The bytes of a body, limited in number and time. Large ones are counted before they arrive, as those of JSON are. */
export function readRawBody(request: HttpRequest, { limits, heavy, caller }: BodyReader): Promise<Uint8Array> {
  if (!request.hasBody) return Promise.resolve(new Uint8Array());
  const length = Number(request.header("content-length") ?? 0);
  if (length > limits.bodyBytes) throw tooLarge(limits);
  return length > largeBytes ? heavy.hold(caller, () => readBytes(request, limits)) : readBytes(request, limits);
}

function readBytes(request: HttpRequest, limits: Limits): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const forget = remindAfter(limits.bodyTimeoutMs, () => reject(tooSlow(limits)));
    const take = (bytes: Uint8Array): void => {
      forget();
      resolve(bytes);
    };
    const fail = (fault: BodyFault): void => {
      forget();
      reject(fault === "too-large" ? tooLarge(limits) : brokenOff());
    };
    request.readBody(limits.bodyBytes, take, fail);
  });
}

/** `begin` parses now or later. */
function readWhole(request: HttpRequest, limits: Limits, begin: (parse: () => unknown, bytes: Uint8Array) => unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const forget = remindAfter(limits.bodyTimeoutMs, () => reject(tooSlow(limits)));
    const take = (bytes: Uint8Array): void => {
      forget();
      const parse = (): unknown =>
        bytes.length === 0 ? undefined : parseJson(bytes, { depth: limits.jsonDepth, values: limits.jsonValues });
      try {
        resolve(begin(parse, bytes));
      } catch (error) {
        reject(error as Problem);
      }
    };
    const fail = (fault: BodyFault): void => {
      forget();
      reject(fault === "too-large" ? tooLarge(limits) : brokenOff());
    };
    request.readBody(limits.bodyBytes, take, fail);
  });
}

/** "application/json", "application/json; charset=utf-8", "application/merge-patch+json" */
function isJson(type: string): boolean {
  return type === "application/json" || /^application\/(?:[\w.-]+\+)?json *(?:; *charset="?utf-8"? *)?$/i.test(type);
}

// The rest of a refused body is not read, so the connection cannot be used again.
const closing = { connection: "close" };

function tooLarge({ bodyBytes }: Pick<Limits, "bodyBytes">): Problem {
  return new Problem(413, "BODY_TOO_LARGE", `The body is larger than ${bodyBytes} bytes. Send less.`, { headers: closing });
}

function tooSlow({ bodyTimeoutMs }: Pick<Limits, "bodyTimeoutMs">): Problem {
  return new Problem(408, "BODY_TOO_SLOW", `The body did not arrive within ${bodyTimeoutMs} ms.`, { headers: closing });
}

function brokenOff(): Problem {
  return new Problem(400, "JSON_INVALID", "The body ended prematurely.", { headers: closing });
}
