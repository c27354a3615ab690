import { describe, expect, it } from "vitest";
import { type AnyTool, createRegistry, defineTool, type Registry, type RegistryOptions } from "../../src/index.ts";
import { outageMark } from "../../src/errors.ts";

/** As a store throws it. */
function outage(retryable = true): Error {
  const error = Object.assign(new Error("The database does not answer. Try again."), { retryable, retryAfterMs: 1_000 });
  return Object.defineProperty(error, outageMark, { value: true });
}

const tool = (handler: () => unknown) => defineTool({ name: "t", description: "A tool", inputSchema: { type: "object" }, handler });
function registryWith(only: AnyTool, options: RegistryOptions = {}): Registry {
  const registry = createRegistry(options);
  registry.register(only);
  return registry;
}

const unavailable = { ok: false, code: "STORE_UNAVAILABLE", status: 503, retryable: true, retryAfterMs: 1_000 };

describe("a part that calls depend on and that cannot work", () => {
  it("OP1: is no failure of the tool, where a handler meets it", async () => {
    const registry = registryWith(tool(() => Promise.reject(outage())));
    expect(await registry.invoke("t", {})).toMatchObject({ ...unavailable, error: "The database does not answer. Try again." });
  });

  it("OP1: is no failure of the tool, where a step before the handler meets it", async () => {
    const registry = registryWith(
      tool(() => "done"),
      { config: { get: () => Promise.reject(outage()) } },
    );
    expect(await registry.invoke("t", {})).toMatchObject(unavailable);
  });

  it("says so where trying again does not help", async () => {
    const registry = registryWith(tool(() => Promise.reject(outage(false))));
    expect(await registry.invoke("t", {})).toMatchObject({ ...unavailable, retryable: false });
  });

  it("OP1: does not run a handler twice by itself", async () => {
    let runs = 0;
    const limits = { retry: { attempts: 3, backoffMs: 1 } };
    const registry = registryWith(
      tool(() => {
        runs += 1;
        return Promise.reject(outage());
      }),
      { limits },
    );
    expect(await registry.invoke("t", {})).toMatchObject(unavailable);
    expect(runs).toBe(1);
  });

  it("is not what any error with such fields says of itself", async () => {
    const error = Object.assign(new Error("away"), { status: 503, retryable: true, code: "STORE_UNAVAILABLE" });
    const registry = registryWith(tool(() => Promise.reject(error)));
    expect(await registry.invoke("t", {})).toMatchObject({ ok: false, code: "TOOL_FAILED", status: 500 });
  });
});
