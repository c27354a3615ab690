import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { createRegistry } from "../../src/registry/create.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import { createFakeClock } from "../../src/testing/fake-clock.ts";

it("the first call of a process has its hooks before a fake clock moves", async () => {
  const clock = createFakeClock();
  const registry = createRegistry({ clock, hooks: { before: [() => undefined], after: [() => undefined] } });
  const handler = async (): Promise<string> => {
    await new Promise<void>((resolve) => void clock.after(20, resolve));
    return "done";
  };
  registry.register(fakeTool({ name: "slow", handler }));
  const pending = registry.invoke("slow", {});
  await clock.advance(100);
  expect((await pending).meta.durationMs).toBe(20);
});

it("a fake clock waits for every part of a call that is loaded when it is first needed", () => {
  const source = fileURLToPath(new URL("../../src", import.meta.url));
  const loadedBy = (folder: string): string[] =>
    readdirSync(join(source, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) => {
        const file = join(source, folder, name);
        const imports = readFileSync(file, "utf8").matchAll(/(?<!typeof )\bimport\("(\.[^"]+)"\)/g);
        return [...imports].map(([, path]) => relative(source, join(dirname(file), path!)));
      });
  const late = new Set(["call", "registry", "tool"].flatMap(loadedBy));
  expect(late.size).toBeGreaterThan(5);
  expect(loadedBy("testing")).toEqual(expect.arrayContaining([...late]));
});
