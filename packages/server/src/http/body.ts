import { heavyTurn } from "@toolrack/core";
import type { BodyFault, HttpRequest } from "./exchange.ts";
import { parseJson } from "./json.ts";
import type { Limits } from "./limits.ts";
import { Problem } from "./problem.ts";
import { remindAfter } from "./reminders.ts";

/** The JSON body of a request: bounded in bytes, time and depth. Undefined where there is none. */
export function readJsonBody(request: HttpRequest, limits: Limits): Promise<unknown> | undefined {
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
  return new Promise((resolve, reject) => {
    const forget = remindAfter(limits.bodyTimeoutMs, () => reject(tooSlow(limits)));
    const take = (bytes: Uint8Array): void => {
      forget();
      const settle = (): void => {
        try {
          resolve(bytes.length === 0 ? undefined : parseJson(bytes, limits.jsonDepth));
        } catch (error) {
          reject(error as Problem);
        }
      };
      // Reading a large body cannot be interrupted, so that there is one in each turn of the event loop.
      if (bytes.length > largeBytes) void heavyTurn().then(settle);
      else settle();
    };
    const fail = (fault: BodyFault): void => {
      forget();
      reject(fault === "too-large" ? tooLarge(limits) : brokenOff());
    };
    request.readBody(limits.bodyBytes, take, fail);
  });
}

const largeBytes = 65_536;

/** "application/json", "application/json; charset=utf-8", "application/merge-patch+json" */
function isJson(type: string): boolean {
  return type === "application/json" || /^application\/(?:[\w.-]+\+)?json *(?:; *charset="?utf-8"? *)?$/i.test(type);
}

// The rest of a refused body is not read, so the connection cannot be used again.
const closing = { connection: "close" };

function tooLarge({ bodyBytes }: Limits): Problem {
  return new Problem(413, "BODY_TOO_LARGE", `The body is larger than ${bodyBytes} bytes. Send less.`, { headers: closing });
}

function tooSlow({ bodyTimeoutMs }: Limits): Problem {
  return new Problem(408, "BODY_TOO_SLOW", `The body did not arrive within ${bodyTimeoutMs} ms.`, { headers: closing });
}

function brokenOff(): Problem {
  return new Problem(400, "JSON_INVALID", "The body broke off before its end.", { headers: closing });
}
