import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderRows, packageArrows, roomRows } from "../house/drawing.mjs";
import { root } from "../lib/files.mjs";

const page = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");

/** [["errors"], ["query", "access"]] → "errors ◀ { query, access }"; what is drawn but not there yet is left out, and so is testing. */
function drawn(folder, rows) {
  const isThere = (part) => ["", ".ts", ".tsx"].some((ending) => existsSync(join(root, folder, part + ending)));
  return rows
    .map((row) => row.filter((part) => part !== "testing" && isThere(part)))
    .filter((row) => row.length > 0)
    .map((row) => (row.length === 1 ? row[0] : `{ ${row.join(", ")} }`))
    .join(" ◀ ");
}

describe("the page about the architecture", () => {
  it.each(Object.entries(folderRows))("draws %s as the table of the house does", (name, rows) => {
    expect(page).toContain(drawn(`packages/${name}/src`, rows));
  });

  it.each(Object.entries(roomRows))("draws the rooms of %s as the table of the house does", (folder, rows) => {
    expect(page).toContain(drawn(folder, rows));
  });

  it("names every package with what it may import", () => {
    for (const [name, arrows] of Object.entries(packageArrows)) {
      const [, imports] = new RegExp(`^\\| \`${name}\` · \`[^\`]+\` \\|[^|]+\\| (.+) \\|$`, "m").exec(page) ?? [];
      const words = {
        console:
          "types of the server, `core/internal/sse`, `core/internal/duration`, `core/internal/shell-word` and `server/client-entries`",
        cli: "all of the above",
      };
      expect(imports, name).toBe(words[name] ?? (arrows.length === 0 ? "none of ours" : arrows.join(", ")));
    }
  });
});
