import { createRegistry } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { serveMcp } from "../../src/serve/serve.ts";

const registry = createRegistry();

describe("serveMcp refuses", () => {
  it.each([
    [{ allowedHost: ["example.com"] }, 'serveMcp has the unknown option "allowedHost". Did you mean "allowedHosts"?'],
    [{ allowedOrigins: "https://example.com" }, 'serveMcp: "allowedOrigins" must be a list of texts, or "any", not a text.'],
    [{ sessions: "no" }, 'serveMcp: "sessions" must be true or false, not a text.'],
    [{ streams: { perPrincipl: 4 } }, 'serveMcp has the unknown option "streams.perPrincipl". Did you mean "streams.perPrincipal"?'],
    [{ tasks: {} }, 'serveMcp: "tasks" must be an object with the functions create, get, replace, not an object.'],
    [{ requestStateKey: 4711 }, 'serveMcp: "requestStateKey" must be a text or bytes, not 4711.'],
  ])("%j", (options, message) => {
    expect(() => serveMcp(registry, options as object)).toThrow(message);
  });

  it("what is no registry", () => {
    expect(() => serveMcp([] as never)).toThrow("serveMcp must be given an object with the functions view, invoke, not a list.");
  });
});
