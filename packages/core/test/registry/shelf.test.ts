import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createShelf, type Shelf, type ShelfEntry } from "../../src/registry/shelf.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";

const entry = (name: string, version?: string, source = "code"): ShelfEntry<undefined> => ({
  tool: fakeTool({ name, ...(version !== undefined && { version }) }),
  source,
  extra: undefined,
});

function shelfOf(...entries: readonly ShelfEntry<undefined>[]): Shelf<undefined> {
  const shelf = createShelf<undefined>();
  for (const one of entries) shelf.put(one, "error");
  return shelf;
}

/** "random@1.0.0", or "random" for a tool without a version. */
const label = ({ tool }: ShelfEntry<undefined>): string => (tool.version === undefined ? tool.name : `${tool.name}@${tool.version}`);
const found = (shelf: Shelf<undefined>, name: string): string | undefined => {
  const one = shelf.find(name);
  return one && label(one);
};

describe("createShelf", () => {
  it("keeps tools in the order they came, however they are replaced", () => {
    const shelf = shelfOf(entry("b"), entry("a"), entry("c"));
    shelf.put(entry("a"), "replace");
    expect(shelf.entries().map(label)).toEqual(["b", "a", "c"]);
    shelf.remove("b");
    shelf.put(entry("b"), "error");
    expect(shelf.entries().map(label)).toEqual(["a", "c", "b"]);
  });

  it("answers what it did: added, replaced or kept", () => {
    const shelf = createShelf<undefined>();
    const [first, second] = [entry("a"), entry("a")];
    expect(shelf.put(first, "error")).toBe("added");
    expect(shelf.put(second, "keep")).toBe("kept");
    expect(shelf.find("a")).toBe(first);
    expect(shelf.put(second, "replace")).toBe("replaced");
    expect(shelf.find("a")).toBe(second);
  });

  it("refuses a second tool of one name and version, says whose it is, and changes nothing", () => {
    const shelf = shelfOf(entry("a", "1.0.0", "plugin-a"));
    const revision = shelf.revision;
    expect(() => shelf.put(entry("a", "1.0.0"), "error")).toThrowError(/"a" in version 1\.0\.0 is already registered by "plugin-a"/);
    expect(() => shelf.put(entry("a", "1.0.0"), "anything" as "error")).toThrowError(/already registered/);
    expect(shelf.revision).toBe(revision);
    expect(shelf.find("a")!.source).toBe("plugin-a");
  });

  it("lets versions hang side by side: a range means the newest that fits, the bare name the newest release", () => {
    const shelf = shelfOf(entry("random", "1.0.0"), entry("random", "2.0.0"), entry("random", "1.2.0"), entry("random", "2.1.0-beta.1"));
    expect(shelf.size).toBe(1);
    expect(found(shelf, "random")).toBe("random@2.0.0");
    expect(found(shelf, "random@^1")).toBe("random@1.2.0");
    expect(found(shelf, "random@1.0.0")).toBe("random@1.0.0");
    expect(found(shelf, "random@~1.0.0")).toBe("random@1.0.0");
    expect(found(shelf, "random@2.1.0-beta.1")).toBe("random@2.1.0-beta.1");
    expect(found(shelf, "random@^3")).toBeUndefined();
    expect(found(shelf, "random@latest")).toBeUndefined();
  });

  it("lets a pre-release win only where there is nothing else", () => {
    const shelf = shelfOf(entry("a", "3.0.0-rc.1"));
    expect(found(shelf, "a")).toBe("a@3.0.0-rc.1");
    shelf.put(entry("a", "3.0.0-rc.2"), "error");
    expect(found(shelf, "a")).toBe("a@3.0.0-rc.2");
    shelf.put(entry("a", "0.1.0"), "error");
    expect(found(shelf, "a")).toBe("a@0.1.0");
    shelf.remove("a", ({ tool }) => tool.version === "0.1.0");
    expect(found(shelf, "a")).toBe("a@3.0.0-rc.2");
  });

  it("takes a tool without a version for the newest, and never for one in a range", () => {
    const shelf = shelfOf(entry("a", "9.0.0"), entry("a"));
    expect(found(shelf, "a")).toBe("a");
    expect(found(shelf, "a@*")).toBe("a@9.0.0");
  });

  it("takes, of versions that differ only in their build, the one that came first", () => {
    const shelf = shelfOf(entry("a", "1.0.0+one"), entry("a", "1.0.0+two"));
    expect(found(shelf, "a")).toBe("a@1.0.0+one");
    expect(shelf.versionsOf("a")).toHaveLength(2);
  });

  it("finds by the exact name before the normalised one", () => {
    const shelf = shelfOf(entry("exec"), entry("Read"), entry("read"), entry("apply_patch", "1.0.0"));
    expect(found(shelf, "Bash")).toBe("exec");
    expect(found(shelf, " BASH ")).toBe("exec");
    expect(found(shelf, "Read")).toBe("Read");
    expect(found(shelf, "READ")).toBe("Read");
    expect(found(shelf, "apply-patch")).toBe("apply_patch@1.0.0");
    expect(found(shelf, "Apply-Patch@^1")).toBe("apply_patch@1.0.0");
    shelf.put(entry("bash"), "error");
    expect(found(shelf, "bash")).toBe("bash");
  });

  it("has no tools but its own: inherited names are unknown, and usable", () => {
    const names = ["constructor", "toString", "hasOwnProperty", "__proto__"];
    const shelf = shelfOf(entry("a"));
    for (const name of names) expect(shelf.find(name)).toBeUndefined();
    for (const name of names) shelf.put(entry(name), "error");
    expect(shelf.entries().map(label)).toEqual(["a", ...names]);
    expect(found(shelf, "__proto__")).toBe("__proto__");
  });

  it("takes off one version or all, and answers what was taken", () => {
    const shelf = shelfOf(entry("a", "1.0.0"), entry("a", "2.0.0"), entry("b"));
    expect(shelf.remove("a", ({ tool }) => tool.version === "2.0.0").map(label)).toEqual(["a@2.0.0"]);
    expect(found(shelf, "a")).toBe("a@1.0.0");
    expect(shelf.remove("a", () => false)).toEqual([]);
    expect(shelf.remove("a").map(label)).toEqual(["a@1.0.0"]);
    expect(shelf.remove("a")).toEqual([]);
    expect(shelf.entries().map(label)).toEqual(["b"]);
  });

  it("counts every change, and nothing else", () => {
    const shelf = createShelf<undefined>();
    const counted = [shelf.revision];
    const count = (act: () => unknown): void => void (act(), counted.push(shelf.revision));
    count(() => shelf.put(entry("a"), "error"));
    count(() => shelf.put(entry("a"), "keep"));
    count(() => shelf.put(entry("a"), "replace"));
    count(() => shelf.remove("unknown"));
    count(() => shelf.remove("a"));
    expect(counted).toEqual([0, 1, 1, 2, 2, 3]);
  });

  it("answers snapshots that later changes do not touch", () => {
    const shelf = shelfOf(entry("a", "1.0.0"), entry("b"));
    const [all, current, tools, versions] = [shelf.entries(), shelf.current(), shelf.tools(), shelf.versionsOf("a")];
    shelf.put(entry("c"), "error");
    shelf.put(entry("a", "2.0.0"), "error");
    shelf.put(entry("a", "1.0.0"), "replace");
    shelf.remove("b");
    expect(all.map(label)).toEqual(["a@1.0.0", "b"]);
    expect(current.map(label)).toEqual(["a@1.0.0", "b"]);
    expect(tools.map((tool) => tool.name)).toEqual(["a", "b"]);
    expect(versions.map(label)).toEqual(["a@1.0.0"]);
  });

  it("answers a hostile range in little time", () => {
    const shelf = shelfOf(entry("a", "1.0.0"));
    const started = performance.now();
    for (const range of [
      " ".repeat(1_000_000),
      "^1 ".repeat(300_000),
      "1||".repeat(300_000),
      ">".repeat(1_000_000),
      "9".repeat(1_000_000),
    ]) {
      shelf.find(`a@${range}`);
    }
    expect(performance.now() - started).toBeLessThan(20_000);
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
        const shelf = createShelf<undefined>();
        // One list for each name, in the order in which the names came.
        const model = new Map<string, ShelfEntry<undefined>[]>();
        for (const { kind, name, version, ...more } of actions) {
          const hung = model.get(name) ?? [];
          const index = hung.findIndex(({ tool }) => tool.version === version);
          if (kind === "put") {
            const one = entry(name, version);
            shelf.put(one, (more as { mode: "replace" | "keep" }).mode);
            if (index < 0) model.set(name, [...hung, one]);
            else if ("mode" in more && more.mode === "replace") hung[index] = one;
          } else {
            shelf.remove(name, ({ tool }) => tool.version === version);
            const left = hung.filter((_, at) => at !== index);
            if (left.length === 0) model.delete(name);
            else model.set(name, left);
          }
        }
        expect(shelf.entries()).toEqual([...model.values()].flat());
        expect(shelf.size).toBe(model.size);
        expect(shelf.current().map(({ tool }) => tool.name)).toEqual([...model.keys()]);
        for (const [name, hung] of model) expect(hung).toContain(shelf.find(name));
      }),
    );
  });
});
