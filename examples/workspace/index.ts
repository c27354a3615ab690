// Tools with path parameters stay inside one folder.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
// #region imports
import { createRegistry, defineTool } from "@toolrack/core";
import { openInside } from "@toolrack/core/node";
// #endregion

const root = mkdtempSync(join(tmpdir(), "toolrack-workspace-"));
writeFileSync(join(root, "notes.md"), "Buy milk.");

// #region tool
const read = defineTool({
  name: "read",
  description: "Reads a file of the workspace.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  metadata: { paths: ["path"], aliases: { file_path: "path" } },
  async handler({ path }) {
    // Opened first and checked afterwards, so that nobody can swap a folder for a link in between.
    const file = await openInside(root, path);
    try {
      return await file.readFile("utf8");
    } finally {
      await file.close();
    }
  },
});
// #endregion

// #region registry
const registry = createRegistry({ workspace: { root } });
registry.register(read);
// #endregion

try {
  for (const path of ["notes.md", "../secrets.txt", "/etc/passwd", "~/.ssh/id_rsa"]) {
    const result = await registry.invoke("read", { path });
    console.log(`${path}: ${result.ok ? result.content : result.code}`);
    assert.equal(result.ok, path === "notes.md");
  }
  const aliased = await registry.invoke("read", { file_path: "notes.md" });
  assert(aliased.ok);
} finally {
  rmSync(root, { recursive: true });
}
