import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { ToolError } from "@toolrack/core";
import { isInside } from "@toolrack/core/internal";
import type { Mount } from "./mount.ts";
import { createPrivateFiles } from "./private-files.ts";
import { procMounts } from "./proc-mounts.ts";

/** What isolated programs see of this machine, besides private /proc, /dev, /tmp and an empty home directory. */
export interface SandboxOptions {
  /** The workspace: the only folder of this machine that programs may write to. */
  readonly root: string;
  /** What a program writes is gone with it, and no more than this in each folder: the workspace is empty, and not on the disk. @default not so */
  readonly scratchBytes?: number;
  /** Whether programs reach the network. @default false */
  readonly network?: boolean;
  /** Absolute paths, besides the system's own folders, that programs may read: toolchains in a home directory, for example. @default none */
  readonly readable?: readonly string[];
  /** Absolute paths that programs never see, wherever they are. @default none */
  readonly hidden?: readonly string[];
}

/** The home directory in a sandbox: empty, and gone with the program. */
export const sandboxHome = "/run/home";

const temporary = ["/tmp", "/var/tmp", sandboxHome];

/** The mounts of one sandbox. Throws CONFIG_INVALID for a workspace that cannot be separated from the rest of the machine. */
export function sandboxMounts(options: SandboxOptions): readonly Mount[] {
  const root = realpathSync(options.root);
  if (root === "/") throw wrongRoot();
  const { scratchBytes: maxBytes } = options;
  const toFolder = (path: string): Mount => ({ kind: "folder", path, isWritable: true, ...(maxBytes !== undefined && { maxBytes }) });
  const readable = [...nodeFolders(), ...(options.network ? resolverFiles() : []), ...(options.readable ?? []).flatMap(realPath)];
  const shown: Mount[] = [
    ...systemMounts(),
    ...temporary.map(toFolder),
    ...readable.map((path) => ({ kind: "readable", path }) as const),
    ...(maxBytes === undefined ? [{ kind: "writable", path: root } as const] : ["/dev/shm", root].map(toFolder)),
  ];
  return [...shown, ...covers([...systemSecrets, ...privateSettings(), ...(options.hidden ?? [])], shown)];
}

/** What every sandbox has: the system's programs, and a /proc without the settings of the machine. */
export function systemMounts(): readonly Mount[] {
  return [...procMounts(), ...systemFolders.flatMap(systemMount)];
}

/** Whether a sandbox with these mounts shows a real path. */
export function isShown(path: string, mounts: readonly Mount[]): boolean {
  const last = mounts.findLast((mount) => isInside(mount.path, path));
  return last !== undefined && (last.kind === "readable" || last.kind === "writable");
}

/** Programs and libraries. Folders with data of people or services (/home, /root, /srv, /var, /run, /mnt …) are not among them. */
const systemFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix/store", "/gnu/store"];

/** What of these only root may read, for a server that runs as root. */
const settings = [
  createPrivateFiles("/etc"),
  createPrivateFiles("/usr/local", { keptMs: 10_000 }),
  createPrivateFiles("/opt", { keptMs: 10_000 }),
];
const privateSettings = (): readonly string[] => settings.flatMap((list) => list());

/** Places for secrets, also where their modes let more people read them than they should. */
const systemSecrets =
  "shadow shadow- gshadow gshadow- sudoers sudoers.d ssh ssl/private krb5.keytab docker kubernetes wireguard letsencrypt NetworkManager"
    .split(" ")
    .map((name) => `/etc/${name}`);

function systemMount(path: string): Mount[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink() ? [{ kind: "link", path, target: readlinkSync(path) }] : [{ kind: "readable", path }];
}

/** Node itself, with npm, where it is installed outside of the system's folders. */
function nodeFolders(): string[] {
  const prefix = dirname(dirname(realpathSync(process.execPath)));
  if (systemFolders.some((folder) => isInside(folder, prefix)) || !existsSync(join(prefix, "lib/node_modules/npm"))) return [];
  return [join(prefix, "bin"), join(prefix, "lib/node_modules")];
}

/** DNS needs a file that is often in /run. */
function resolverFiles(): string[] {
  return realPath("/etc/resolv.conf").filter((path) => !isInside("/etc", path));
}

function realPath(path: string): string[] {
  try {
    return isAbsolute(path) ? [realpathSync(path)] : [];
  } catch {
    return [];
  }
}

/** What covers hidden paths in folders that programs may read. None is in the workspace: then programs do not run at all. */
function covers(hidden: readonly string[], shown: readonly Mount[]): Mount[] {
  const found = [...new Set(hidden.flatMap(realPath))];
  const covered = found.filter((path) => isShown(path, shown) && !found.some((other) => other !== path && isInside(other, path)));
  return covered.map((path) => (lstatSync(path).isDirectory() ? { kind: "folder", path, isWritable: false } : { kind: "blank", path }));
}

function wrongRoot(): ToolError {
  return new ToolError(
    "CONFIG_INVALID",
    "Programs cannot be isolated in this workspace: it is the root of the file system. Choose another folder as workspace.",
  );
}
