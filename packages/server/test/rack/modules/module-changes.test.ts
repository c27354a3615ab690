import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";

const moduleText = (says: string): string =>
  `export default { name: "lamp", description: "Switches.", inputSchema: { type: "object" }, handler: () => "${says}" };\n`;

describe("a tool module whose file changes", () => {
  it("is warned about, and stays as it was until a restart", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "my-tools.js");
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(file, moduleText("one"));
    const warnings: string[] = [];
    const nothing = (): void => undefined;
    const log = { debug: nothing, info: nothing, error: nothing, warn: (text: string) => void warnings.push(text) };
    const rack = await openTestRack({
      folder,
      log,
      config: { store: { memory: true }, tools: { modules: ["./my-tools.js", "./gone.js"] } },
    });
    writeFileSync(join(folder, "other.js"), "");
    writeFileSync(file, moduleText("two"));
    await until(() => warnings.includes("my-tools.js changed. Restart the server to use it."));
    expect(warnings.join("\n")).not.toContain("other.js");
    expect(await rack.call("lamp", {}, { caller: { agent: "a" } }).result).toMatchObject({ content: "one" });
  });
});
