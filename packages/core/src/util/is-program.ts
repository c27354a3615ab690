import { nodeFs } from "#platform";

/** Whether a path leads to a file that may be run. A folder may be entered, which is not the same. */
export function isProgram(file: string): boolean {
  try {
    nodeFs.accessSync(file, nodeFs.constants.X_OK);
    return nodeFs.statSync(file).isFile();
  } catch {
    return false;
  }
}
