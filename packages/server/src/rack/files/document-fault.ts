import path from "node:path";
import { isInside, realPlace } from "@toolrack/core/internal";
import { findWritable, nameOfWritable, type WritableFolder } from "./writable.ts";

export interface DocumentPlaces {
  /** The folder of the project: relative paths start here, and no document lies outside. */
  readonly folder: string;
  /** The files of the server itself. */
  readonly ownFiles: readonly string[];
  /** Where agents may change files. */
  readonly writable: readonly WritableFolder[];
}

/** Why a file may not be read as a document that defines tools: it lies outside of the project, is the server's own, or agents may change it. */
export function findDocumentFault(key: string, file: string, { folder, ownFiles, writable }: DocumentPlaces): string | undefined {
  const place = realPlace(path.resolve(folder, file));
  const name = JSON.stringify(file.slice(0, 200));
  if (!isInside(realPlace(folder), place))
    return `${key}: ${name} is not in the folder of the configuration. Copy the document into it, or give a url.`;
  if (ownFiles.some((own) => isInside(realPlace(own), place)))
    return `${key}: ${name} belongs to the server itself, and is not read as a document. Name the file of the API's document.`;
  const found = findWritable(place, writable);
  if (found === undefined) return undefined;
  return `${key}: ${name} lies in ${nameOfWritable(found)}, where agents may change it, and so the tools that it defines. Move it to another folder of the project.`;
}
