import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SourceStatus } from "@toolrack/core";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { LoadedModules } from "../../../src/rack/modules/loaded-modules.ts";
import { reloadChangedModules } from "../../../src/rack/modules/reload-modules.ts";

/** Reloads ./a.js, which imports ./b.js; `onLoad` is what loading does. */
function start(onLoad: (write: (name: string, text: string) => void) => void): { told: string[]; write(name: string, text: string): void } {
  const folder = temporaryFolder();
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write("package.json", '{ "type": "module" }');
  write("a.js", 'import "./b.js";\n');
  write("b.js", "// first\n");
  const told: string[] = [];
  const tell = (text: string): void => void told.push(text);
  const stop = reloadChangedModules({
    specifiers: ["./a.js"],
    folder,
    modules: { supplies: new Map() } as unknown as LoadedModules,
    reloads: { count: 0 },
    refresh: async () => (onLoad(write), { state: "ready", tools: [], problems: [] } as unknown as SourceStatus),
    log: { debug: tell, info: tell, warn: tell, error: tell },
  });
  onTestFinished(stop);
  return { told, write };
}

describe("modules that are loaded again", () => {
  it("are loaded when a file has another content, and not when it is saved unchanged", async () => {
    const { told, write } = start((save) => save("a.js", 'import "./b.js";\n'));
    write("a.js", 'import "./b.js";\n');
    write("b.js", "// second\n");
    await until(() => told.length >= 1);
    write("b.js", "// third\n");
    await until(() => told.length >= 2);
    expect(told.map((text) => text.split(":")[0])).toEqual(["b.js changed", "b.js changed"]);
  });

  it("are loaded at most once a second, also if loading them changes a file", async () => {
    const timers = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => timers.mockRestore());
    let loads = 0;
    const { told, write } = start((save) => {
      if (++loads < 2) save("b.js", `// ${loads}\n`);
    });
    write("b.js", "// second\n");
    await until(() => told.length >= 2);
    const waits = timers.mock.calls.map(([, delay]) => Number(delay));
    expect(waits.some((delay) => delay > 500 && delay <= 1_000)).toBe(true);
  });
});
