import type { Isolation } from "./isolated.ts";
import { systemCallFilter } from "./seccomp.ts";
import { type Mount, mostTemporaryBytes } from "./mount.ts";

/** By bwrap: everything ends with it, and it ends with this process. */
export const bubblewrap: Isolation = {
  kind: "bubblewrap",
  program: "/usr/bin/bwrap",
  wrap({ program, args, cwd, env, mounts, network, setupFd }) {
    const filter = systemCallFilter();
    const options = [
      ...namespaces(network),
      "--info-fd",
      "4",
      ...(filter === undefined ? [] : ["--seccomp", "5"]),
      "--clearenv",
      ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
      "--proc",
      "/proc",
      "--dev",
      "/dev",
      ...temporary("/dev/shm"),
      ...mounts.flatMap(toOptions),
      "--remount-ro",
      "/",
      "--chdir",
      cwd,
    ];
    return {
      args: ["--args", String(setupFd), "--", program, ...args],
      setup: options.map((option) => `${option}\0`).join(""),
      tellsPid: true,
      ...(filter && { filter }),
    };
  },
};

/** bwrap itself forbids new privileges. */
function namespaces(network: boolean): string[] {
  return ["--unshare-all", ...(network ? ["--share-net"] : []), "--die-with-parent", "--new-session", "--cap-drop", "ALL"];
}

function temporary(path: string, maxBytes: number = mostTemporaryBytes): string[] {
  return ["--size", String(maxBytes), "--tmpfs", path];
}

function toOptions(mount: Mount): string[] {
  const { path } = mount;
  switch (mount.kind) {
    case "readable":
      return ["--ro-bind", path, path];
    case "writable":
      return ["--bind", path, path];
    case "link":
      return ["--symlink", mount.target, path];
    case "folder":
      return mount.isWritable ? temporary(path, mount.maxBytes) : ["--tmpfs", path, "--remount-ro", path];
    case "blank":
      return ["--ro-bind", "/dev/null", path];
  }
}
