import { ToolInputError } from "@toolrack/core";
import type { FileOperations } from "../operations/files.ts";
import type { Attachment } from "./channels/channel.ts";

/** Files of the workspace, read before anything is sent. Throws for files that are too large together. */
export async function readAttachments(files: FileOperations | undefined, paths: readonly string[]): Promise<readonly Attachment[]> {
  if (paths.length === 0) return [];
  if (files === undefined) throw new ToolInputError("There is no workspace to take files from. Send the text alone.");
  const read: Attachment[] = [];
  let left = maxBytes;
  for (const path of paths) {
    const { bytes } = await files.read(path, left);
    left -= bytes.length;
    if (left < 0) throw new ToolInputError(`The files have more than ${maxBytes} bytes together. Send fewer, or smaller ones.`);
    read.push({ name: path.split(/[\\/]/).at(-1)!, bytes });
  }
  return read;
}

const maxBytes = 10_000_000;
