import { loadLate } from "./platform.ts";

type Semver = typeof import("semver");

/** Versions: loaded when a second version of a tool, or a range, is first seen. */
export function loadSemver(): Pick<Semver, "prerelease" | "rcompare" | "satisfies"> {
  return loadLate<Semver>("semver");
}
