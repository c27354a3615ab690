import path from "node:path";
import { CommandError } from "../errors.ts";
import type { UserPlaces } from "./client.ts";

/** The folders of the user on this platform, from the environment. */
export function userPlaces(environment: UserPlaces["environment"], platform: NodeJS.Platform = process.platform): UserPlaces {
  const home = (platform === "win32" ? environment["USERPROFILE"] : undefined) ?? environment["HOME"];
  if (home === undefined || home === "")
    throw new CommandError("usage", "The home folder is not known: HOME is not set. Name the client's file with --file.");
  return {
    platform,
    home,
    appData: environment["APPDATA"] ?? path.join(home, "AppData", "Roaming"),
    config: environment["XDG_CONFIG_HOME"] || path.join(home, ".config"),
    environment,
  };
}
