import { readFile, stat } from "node:fs/promises";
import { ToolError } from "@toolrack/core";
import type { Download } from "playwright-core";
import { FileFault, type FileOperations } from "../operations/files.ts";

export interface TakenDownload {
  readonly url: string;
  readonly suggestedFilename: string;
  /** In the workspace. */
  readonly path?: string;
  /** Why it was not kept. */
  readonly error?: string;
}

/** Puts a download into the folder `downloads` of the workspace, under a name that leads nowhere else and takes the place of no other file. */
export async function takeDownload(download: Download, files: FileOperations | undefined): Promise<TakenDownload> {
  const facts = { url: download.url().slice(0, 2_000), suggestedFilename: download.suggestedFilename().slice(0, 255) };
  try {
    if (files === undefined) return { ...facts, error: "There is no workspace to keep it in." };
    const temporary = await download.path();
    if ((await stat(temporary)).size > maxBytes) return { ...facts, error: `It has more than ${maxBytes} bytes.` };
    return { ...facts, path: await saveFile(files, safeName(facts.suggestedFilename), await readFile(temporary)) };
  } catch (error) {
    return { ...facts, error: ToolError.is(error) ? error.message : "It was not completed." };
  } finally {
    await download.delete().catch(() => {});
  }
}

const maxBytes = 52_428_800;

/** Under a name that no other file of the folder `downloads` has. Returns its path. */
export async function saveFile(files: FileOperations, name: string, bytes: Uint8Array): Promise<string> {
  const [, stem = name, ending = ""] = /^(.*?)(\.[^.]{1,10})?$/.exec(name) ?? [];
  for (let number = 1; ; number++) {
    const path = `downloads/${number === 1 ? name : `${stem}-${number}${ending}`}`;
    if ((await files.stat(path)) !== undefined && number < 1_000) continue;
    const staged = await files.stage(path, bytes, { expect: "absent" });
    try {
      await staged.commit();
      return path;
    } catch (error) {
      await staged.discard();
      if (!(error instanceof FileFault) || number >= 1_000) throw error;
    }
  }
}

/** "../../x" → "x"; ".bashrc" → "bashrc" */
export function safeName(suggested: string): string {
  const last = suggested.split(/[\\/]/).at(-1)!;
  const plain = last
    .replace(/[^\p{L}\p{N}._ ()-]/gu, "_")
    .replace(/^[. ]+/, "")
    .slice(0, 120)
    .replace(/[. ]+$/, "");
  return plain === "" ? "download" : plain;
}
