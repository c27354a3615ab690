import { accessSync, constants, statSync } from "node:fs";

/** Whether a path leads to a file that may be run. A folder may be entered, which is not the same. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
