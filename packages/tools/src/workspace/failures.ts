import { basename, dirname } from "node:path";
import { ToolError, ToolInputError } from "@toolrack/core";
import { processFaultText } from "@toolrack/core/internal/programs";
import { FileFault, type FileOperations } from "../operations/files.ts";
import { ProcessFault } from "../operations/processes.ts";
import { similarNames } from "./similar.ts";

/** Turns a failed operation into an error for the caller. Other errors are returned unchanged. */
export async function explainFailure(error: unknown, files: FileOperations | undefined): Promise<unknown> {
  if (ToolError.is(error)) return error;
  if (error instanceof ProcessFault) return explainProcess(error);
  const { code, path } = (typeof error === "object" && error !== null ? error : {}) as { code?: unknown; path?: unknown };
  if (typeof code !== "string" || !/^E[A-Z0-9]+$/.test(code)) return error;
  const shown =
    error instanceof FileFault ? JSON.stringify(error.path) : typeof path === "string" ? JSON.stringify(basename(path)) : "A file";
  if (code === "ENOENT" && error instanceof FileFault) {
    return new ToolInputError(`${shown} does not exist.${await nearby(error.path, files)}`, { cause: error });
  }
  const known = sentences.get(code);
  if (known === undefined)
    return new ToolError("TOOL_FAILED", `${shown} could not be used: the system answered ${code}.`, { cause: error });
  const sentence = `${shown} ${known.sentence}`;
  return known.isInput ? new ToolInputError(sentence, { cause: error }) : new ToolError("TOOL_FAILED", sentence, { cause: error });
}

const input = (sentence: string): Meaning => ({ sentence, isInput: true });
const machine = (sentence: string): Meaning => ({ sentence, isInput: false });

interface Meaning {
  readonly sentence: string;
  /** Whether another input would help. */
  readonly isInput: boolean;
}

const sentences: ReadonlyMap<string, Meaning> = new Map([
  ["ENOENT", input("does not exist.")],
  ["EISDIR", input("is a folder. Name a file.")],
  ["ENOTDIR", input("is not a folder, or its path leads through a file. Name an existing folder.")],
  ["ENOTSUP", input("is neither a file nor a folder, or a link that leads to neither. Only files and folders can be used.")],
  ["ENXIO", input("is neither a file nor a folder. Only files and folders can be used.")],
  ["EFBIG", input("is larger than can be read at once. Search in it, or work on it with a program.")],
  ["ENAMETOOLONG", input("has a name that is too long for this disk. Use a shorter one.")],
  ["EACCES", machine("may not be read or written: its permissions forbid it.")],
  ["EPERM", machine("may not be changed: the system forbids it.")],
  ["EROFS", machine("is on a disk that can only be read.")],
  ["ENOSPC", machine("was not written: the disk is full. Nothing was changed; make room first.")],
  ["EDQUOT", machine("was not written: the disk quota is used up. Nothing was changed; make room first.")],
  ["EMFILE", machine("could not be opened: too many files are open. Try again later.")],
  ["ENFILE", machine("could not be opened: too many files are open. Try again later.")],
  ["EIO", machine("could not be read or written: the disk failed.")],
]);

async function nearby(path: string, files: FileOperations | undefined): Promise<string> {
  try {
    const entries = (await files?.list(dirname(path))) ?? [];
    const near = similarNames(
      basename(path),
      entries.map(({ name }) => name),
    );
    return near.length === 0 ? "" : ` Did you mean ${near.map((name) => JSON.stringify(name)).join(" or ")}?`;
  } catch {
    return "";
  }
}

function explainProcess(fault: ProcessFault): ToolError {
  const { code, cause } = fault;
  const text = processFaultText(fault);
  return ["ENOENT", "EACCES", "EPIPE", "E2BIG"].includes(code)
    ? new ToolInputError(text, { cause })
    : new ToolError("TOOL_FAILED", text, { cause });
}
