import path from "node:path";
import { createFileOperations, createPublishTools } from "@toolrack/tools";
import { innerFolder } from "./_inner-folder.ts";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = (config, { root, ownFiles }) => {
  /** A calendar file, through the same bounds as every file of the workspace: a link in its place leads nowhere else. */
  const readFile = async (file: string): Promise<string> => {
    const { folder, within } = innerFolder(root, path.dirname(path.resolve(root, file)));
    const { bytes } = await createFileOperations({ root: folder, within, hidden: ownFiles }).read(path.basename(file), maxFileBytes);
    return new TextDecoder().decode(bytes);
  };
  return createPublishTools({ ...config, operations: { readFile } });
};

const maxFileBytes = 5_242_880;
