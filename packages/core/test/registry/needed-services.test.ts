import { describe, expect, it, vi } from "vitest";
import { createRegistry } from "../../src/registry/create.ts";
import { codeSource } from "../../src/sources/code.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import { executeTool } from "../../src/tool/array.ts";

const needsDatabase = (handler: () => string = () => "found") => fakeTool({ name: "find", metadata: { services: ["db", "log"] }, handler });
const missing = (text: string) => expect.objectContaining({ code: "SERVICE_MISSING", message: expect.stringContaining(text) });

describe("a tool that declares services", () => {
  it("is refused by a registry without services, with the name of the first one", () => {
    const registry = createRegistry();
    expect(() => registry.register(needsDatabase())).toThrow(
      missing('Tool "find" needs the service "db", and this registry has no services. Add it to the services of createRegistry.'),
    );
    expect(registry.count).toBe(0);
  });

  it.each([
    ["has others", { cache: {}, log: {} }, 'needs the service "db", and this registry has only cache, log.'],
    ["has it as undefined", { db: undefined, log: {} }, 'needs the service "db", and this registry has only log.'],
    ["has the first alone", { db: {} }, 'needs the service "log", and this registry has only db.'],
    ["has a text", "db", 'needs the service "db"'],
    ["has null", null, 'needs the service "db", and this registry has no services.'],
  ])("is refused by a registry that %s", (_, services, text) => {
    expect(() => createRegistry({ services }).register(needsDatabase())).toThrow(missing(text));
  });

  it("does not take what every object has for a service", () => {
    const registry = createRegistry({ services: {} });
    for (const name of ["constructor", "toString", "__proto__"]) {
      expect(() => registry.register(fakeTool({ metadata: { services: [name] } }))).toThrow(missing(`"${name}"`));
    }
  });

  it("finds services in a class and behind a proxy, and does not open one that is opened when it is read", async () => {
    const open = vi.fn<() => object>(() => ({}));
    class Services {
      log = {};
      get db(): object {
        return open();
      }
    }
    const proxy = new Proxy({}, { get: (_, name) => ({ name }) });
    for (const services of [new Services(), proxy]) {
      const registry = createRegistry({ services });
      registry.register(needsDatabase());
      expect(await registry.invoke("find", {})).toMatchObject({ ok: true, content: "found" });
    }
    expect(open).not.toHaveBeenCalled();
  });

  it("is registered where services are opened for each call, and answers with the name of the one that was not opened", async () => {
    const handler = vi.fn<() => string>(() => "found");
    const close = vi.fn<() => void>();
    const opened: Record<string, object>[] = [{ db: {}, log: {} }, { db: {} }];
    const registry = createRegistry({ services: async () => opened.shift(), closeServices: close });
    registry.register(needsDatabase(handler));
    expect(await registry.invoke("find", {})).toMatchObject({ ok: true });
    expect(await registry.invoke("find", {})).toMatchObject({
      ok: false,
      code: "SERVICE_MISSING",
      error: 'Tool "find" needs the service "log", and this call has only db. Add it to the services of createRegistry.',
    });
    expect(await registry.invoke("find", {})).toMatchObject({ code: "SERVICE_MISSING", error: expect.stringContaining('"db"') });
    expect(handler).toHaveBeenCalledTimes(1);
    expect(close).toHaveBeenCalledTimes(2);
  });

  it("is left out of a source alone, with the reason", async () => {
    const registry = createRegistry();
    const status = await registry.addSource(codeSource("mine", [needsDatabase(), fakeTool({ name: "plain" })]));
    expect(status).toMatchObject({ state: "ready", tools: ["plain"] });
    expect(status.problems).toEqual([expect.stringContaining('needs the service "db"')]);
  });

  it("of a caller's own tools is refused when it is called", async () => {
    const registry = createRegistry();
    await registry.addSource({ id: "channel", list: () => [], listFor: () => [needsDatabase()] });
    expect(await registry.invoke("find", {})).toMatchObject({ ok: false, code: "SERVICE_MISSING" });
  });

  it("is not taken over from another registry, and neither is any other tool of it", () => {
    const other = createRegistry({ services: { db: {}, log: {} } });
    other.register(fakeTool({ name: "plain" }));
    other.register(needsDatabase());
    const registry = createRegistry();
    expect(() => registry.merge(other)).toThrow(missing('"db"'));
    expect(registry.count).toBe(0);
    expect(other.clone().count).toBe(2);
  });

  it("is refused outside of a registry, where there are none", async () => {
    const handler = vi.fn<() => string>(() => "found");
    expect(await executeTool(needsDatabase(handler), {})).toMatchObject({
      ok: false,
      code: "SERVICE_MISSING",
      error: expect.stringContaining('Tool "find" needs the service "db"'),
    });
    expect(handler).not.toHaveBeenCalled();
  });
});
