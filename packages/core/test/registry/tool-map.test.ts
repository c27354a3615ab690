import fc from "fast-check";
import { cpuTime } from "@toolrack/testkit/cpu-time";
import { describe, expect, it } from "vitest";
import { createToolMap, type ToolMap, type ToolMapEntry } from "../../src/registry/tool-map.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";

const entry = (name: string, version?: string, source = "code"): ToolMapEntry<undefined> => ({
  tool: fakeTool({ name, ...(version !== undefined && { version }) }),
  source,
  extra: undefined,
});

function mapOf(...entries: readonly ToolMapEntry<undefined>[]): ToolMap<undefined> {
  const map = createToolMap<undefined>();
  for (const one of entries) map.put(one, "error");
  return map;
}

/** "random@1.0.0", or "random" for a tool without a version. */
const label = ({ tool }: ToolMapEntry<undefined>): string => (tool.version === undefined ? tool.name : `${tool.name}@${tool.version}`);
const found = (map: ToolMap<undefined>, name: string): string | undefined => {
  const one = map.find(name);
  return one && label(one);
};

describe("createToolMap", () => {
  it("keeps tools in the order they came, however they are replaced", () => {
    const map = mapOf(entry("b"), entry("a"), entry("c"));
    map.put(entry("a"), "replace");
    expect(map.entries().map(label)).toEqual(["b", "a", "c"]);
    map.remove("b");
    map.put(entry("b"), "error");
    expect(map.entries().map(label)).toEqual(["a", "c", "b"]);
  });

  it("answers what it did: added, replaced or kept", () => {
    const map = createToolMap<undefined>();
    const [first, second] = [entry("a"), entry("a")];
    expect(map.put(first, "error")).toBe("added");
    expect(map.put(second, "keep")).toBe("kept");
    expect(map.find("a")).toBe(first);
    expect(map.put(second, "replace")).toBe("replaced");
    expect(map.find("a")).toBe(second);
  });

  it("refuses a second tool of one name and version, says whose it is, and changes nothing", () => {
    const map = mapOf(entry("a", "1.0.0", "plugin-a"));
    const revision = map.revision;
    expect(() => map.put(entry("a", "1.0.0"), "error")).toThrowError(/"a" in version 1\.0\.0 is already registered by "plugin-a"/);
    expect(() => map.put(entry("a", "1.0.0"), "anything" as "error")).toThrowError(/already registered/);
    expect(map.revision).toBe(revision);
    expect(map.find("a")!.source).toBe("plugin-a");
  });

  it("lets versions hang side by side: a range means the newest that fits, the bare name the newest release", () => {
    const map = mapOf(entry("random", "1.0.0"), entry("random", "2.0.0"), entry("random", "1.2.0"), entry("random", "2.1.0-beta.1"));
    expect(map.size).toBe(1);
    expect(found(map, "random")).toBe("random@2.0.0");
    expect(found(map, "random@^1")).toBe("random@1.2.0");
    expect(found(map, "random@1.0.0")).toBe("random@1.0.0");
    expect(found(map, "random@~1.0.0")).toBe("random@1.0.0");
    expect(found(map, "random@2.1.0-beta.1")).toBe("random@2.1.0-beta.1");
    expect(found(map, "random@^3")).toBeUndefined();
    expect(found(map, "random@latest")).toBeUndefined();
  });

  it("lets a pre-release win only where there is nothing else", () => {
    const map = mapOf(entry("a", "3.0.0-rc.1"));
    expect(found(map, "a")).toBe("a@3.0.0-rc.1");
    map.put(entry("a", "3.0.0-rc.2"), "error");
    expect(found(map, "a")).toBe("a@3.0.0-rc.2");
    map.put(entry("a", "0.1.0"), "error");
    expect(found(map, "a")).toBe("a@0.1.0");
    map.remove("a", ({ tool }) => tool.version === "0.1.0");
    expect(found(map, "a")).toBe("a@3.0.0-rc.2");
  });

  it("takes a tool without a version for the newest, and never for one in a range", () => {
    const map = mapOf(entry("a", "9.0.0"), entry("a"));
    expect(found(map, "a")).toBe("a");
    expect(found(map, "a@*")).toBe("a@9.0.0");
  });

  it("takes, of versions that differ only in their build, the one that came first", () => {
    const map = mapOf(entry("a", "1.0.0+one"), entry("a", "1.0.0+two"));
    expect(found(map, "a")).toBe("a@1.0.0+one");
    expect(map.versionsOf("a")).toHaveLength(2);
  });

  it("finds by the exact name before the normalised one", () => {
    const map = mapOf(entry("exec"), entry("Read"), entry("read"), entry("apply_patch", "1.0.0"));
    expect(found(map, "Bash")).toBe("exec");
    expect(found(map, " BASH ")).toBe("exec");
    expect(found(map, "Read")).toBe("Read");
    expect(found(map, "READ")).toBe("Read");
    expect(found(map, "apply-patch")).toBe("apply_patch@1.0.0");
    expect(found(map, "Apply-Patch@^1")).toBe("apply_patch@1.0.0");
    map.put(entry("bash"), "error");
    expect(found(map, "bash")).toBe("bash");
  });

  it("has no tools but its own: inherited names are unknown, and usable", () => {
    const names = ["constructor", "toString", "hasOwnProperty", "__proto__"];
    const map = mapOf(entry("a"));
    for (const name of names) expect(map.find(name)).toBeUndefined();
    for (const name of names) map.put(entry(name), "error");
    expect(map.entries().map(label)).toEqual(["a", ...names]);
    expect(found(map, "__proto__")).toBe("__proto__");
  });

  it("takes off one version or all, and answers what was taken", () => {
    const map = mapOf(entry("a", "1.0.0"), entry("a", "2.0.0"), entry("b"));
    expect(map.remove("a", ({ tool }) => tool.version === "2.0.0").map(label)).toEqual(["a@2.0.0"]);
    expect(found(map, "a")).toBe("a@1.0.0");
    expect(map.remove("a", () => false)).toEqual([]);
    expect(map.remove("a").map(label)).toEqual(["a@1.0.0"]);
    expect(map.remove("a")).toEqual([]);
    expect(map.entries().map(label)).toEqual(["b"]);
  });

  it("counts every change, and nothing else", () => {
    const map = createToolMap<undefined>();
    const counted = [map.revision];
    const count = (act: () => unknown): void => void (act(), counted.push(map.revision));
    count(() => map.put(entry("a"), "error"));
    count(() => map.put(entry("a"), "keep"));
    count(() => map.put(entry("a"), "replace"));
    count(() => map.remove("unknown"));
    count(() => map.remove("a"));
    expect(counted).toEqual([0, 1, 1, 2, 2, 3]);
  });

  it("answers snapshots that later changes do not touch", () => {
    const map = mapOf(entry("a", "1.0.0"), entry("b"));
    const [all, current, tools, versions] = [map.entries(), map.current(), map.tools(), map.versionsOf("a")];
    map.put(entry("c"), "error");
    map.put(entry("a", "2.0.0"), "error");
    map.put(entry("a", "1.0.0"), "replace");
    map.remove("b");
    expect(all.map(label)).toEqual(["a@1.0.0", "b"]);
    expect(current.map(label)).toEqual(["a@1.0.0", "b"]);
    expect(tools.map((tool) => tool.name)).toEqual(["a", "b"]);
    expect(versions.map(label)).toEqual(["a@1.0.0"]);
  });

  it("answers a hostile range in little time", () => {
    const map = mapOf(entry("a", "1.0.0"));
    const started = cpuTime();
    for (const range of [
      " ".repeat(1_000_000),
      "^1 ".repeat(300_000),
      "1||".repeat(300_000),
      ">".repeat(1_000_000),
      "9".repeat(1_000_000),
    ]) {
      map.find(`a@${range}`);
    }
    expect(cpuTime() - started).toBeLessThan(20_000);
  });

  it("equals a plain list of entries, whatever is put and taken", () => {
    const names = fc.constantFrom("a", "b", "A", "__proto__");
    const versions = fc.constantFrom(undefined, "1.0.0", "1.5.0", "2.0.0-rc.1");
    const action = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constant("put" as const),
          name: names,
          version: versions,
          mode: fc.constantFrom("replace" as const, "keep" as const),
        }),
      },
      fc.record({ kind: fc.constant("remove" as const), name: names, version: versions }),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), (actions) => {
        const map = createToolMap<undefined>();
        // One list for each name, in the order in which the names came.
        const model = new Map<string, ToolMapEntry<undefined>[]>();
        for (const { kind, name, version, ...more } of actions) {
          const hung = model.get(name) ?? [];
          const index = hung.findIndex(({ tool }) => tool.version === version);
          if (kind === "put") {
            const one = entry(name, version);
            map.put(one, (more as { mode: "replace" | "keep" }).mode);
            if (index < 0) model.set(name, [...hung, one]);
            else if ("mode" in more && more.mode === "replace") hung[index] = one;
          } else {
            map.remove(name, ({ tool }) => tool.version === version);
            const left = hung.filter((_, at) => at !== index);
            if (left.length === 0) model.delete(name);
            else model.set(name, left);
          }
        }
        expect(map.entries()).toEqual([...model.values()].flat());
        expect(map.size).toBe(model.size);
        expect(map.current().map(({ tool }) => tool.name)).toEqual([...model.keys()]);
        for (const [name, hung] of model) expect(hung).toContain(map.find(name));
      }),
    );
  });
});
