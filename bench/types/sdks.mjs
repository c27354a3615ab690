import { fileURLToPath } from "node:url";
import { install, isInstallStale } from "../../scripts/lib/install.mjs";

export const folder = fileURLToPath(new URL(".", import.meta.url));

let problem;

/**
 * Installs the SDKs and frameworks of this folder's package-lock.json if they are not there yet, and runs `check`. Where they cannot be
 * installed its `count` checks are skipped, and fail with TOOLRACK_REQUIRE=all.
 */
export async function withSdks(count, check) {
  problem ??= installSdks();
  const reason = await problem;
  if (reason === undefined) return check();
  const required = process.env.TOOLRACK_REQUIRE === "all";
  const note = `skipped: the packages of bench/types could not be installed (${reason})`;
  return { passed: 0, failed: required ? 1 : 0, skipped: required ? 0 : count, note, output: note };
}

/** Answers why they could not be installed, in one line, or undefined. */
async function installSdks() {
  if (!isInstallStale(folder)) return undefined;
  const { code, output } = await install(folder, ["--ignore-scripts"]);
  if (code === 0) return undefined;
  return output.split("\n").find((line) => line.startsWith("npm error")) ?? `npm ended with ${code}`;
}
