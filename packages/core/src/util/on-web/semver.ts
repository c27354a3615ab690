import prerelease from "semver/functions/prerelease.js";
import rcompare from "semver/functions/rcompare.js";
import satisfies from "semver/functions/satisfies.js";
import type { loadSemver as onNode } from "../on-node/semver.ts";

/** Bundled with the program: nothing can be loaded at once where there is no `require`. */
export const loadSemver: typeof onNode = () => ({ prerelease, rcompare, satisfies });
