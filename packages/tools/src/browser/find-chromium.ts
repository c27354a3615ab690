import { delimiter, join } from "node:path";
import { isProgram } from "@toolrack/core/internal";

/** The Chromium of this machine: the first of its usual names that is on the PATH. */
export function findChromium(path: string = process.env["PATH"] ?? ""): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"] as const;
