import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createRegistry, type InvokeOptions, type RegistryOptions, type ToolDefinition, type ToolResult } from "@toolrack/core";

/** A folder for one test, beside another one that nothing may touch. */
export interface TemporaryWorkspace {
  readonly root: string;
  /** What lies beside the workspace, with a secret in it. */
  readonly outside: string;
  write(path: string, content: string | Uint8Array): void;
  read(path: string): string;
  bytes(path: string): Buffer;
  /** Every path below the workspace with its content, to compare before and after. */
  snapshot(): Record<string, string>;
  snapshotOutside(): Record<string, string>;
  remove(): void;
}

export const outsideSecret = "the-secret-beside-the-workspace";

export function createTemporaryWorkspace(files: Readonly<Record<string, string | Uint8Array>> = {}): TemporaryWorkspace {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), "toolrack-tools-")));
  const [root, outside] = [join(parent, "work"), join(parent, "work-outside")];
  const put = (file: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  mkdirSync(root);
  put(join(outside, "secret.txt"), `${outsideSecret}\n`);
  for (const [path, content] of Object.entries(files)) put(join(root, path), content);
  return {
    root,
    outside,
    write: (path, content) => put(join(root, path), content),
    read: (path) => readFileSync(join(root, path), "utf8"),
    bytes: (path) => readFileSync(join(root, path)),
    snapshot: () => snapshotOf(root),
    snapshotOutside: () => snapshotOf(outside),
    remove: () => rmSync(parent, { recursive: true, force: true }),
  };
}

export type Invoke = (name: string, input: unknown, options?: InvokeOptions) => Promise<ToolResult>;

/** Calls tools as a registry does that has no workspace of its own, so that the tools' own guards are what is tested. */
export function invokerOf(tools: readonly ToolDefinition[], options: RegistryOptions = {}): Invoke {
  const registry = createRegistry({ outputValidation: "strict", ...options });
  for (const tool of tools) registry.register(tool);
  return (name, input, invokeOptions) => registry.invoke(name, input, invokeOptions);
}

function snapshotOf(folder: string, below = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder).sort()) {
    const [file, path] = [join(folder, name), below + name];
    const stat = lstatSync(file);
    if (stat.isDirectory()) Object.assign(found, { [`${path}/`]: "" }, snapshotOf(file, `${path}/`));
    else found[path] = stat.isSymbolicLink() ? `→ ${readlinkSync(file)}` : stat.isFile() ? readFileSync(file, "latin1") : "special";
  }
  return found;
}
