import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { markVariable } from "@toolrack/core/internal/programs";
import type { Isolation } from "./isolated.ts";
import { type Mount, mostTemporaryBytes } from "./mount.ts";

/** By unshare, mount and setpriv of util-linux, and a shell: what bubblewrap does, in steps. */
export const unshare: Isolation = {
  kind: "unshare",
  program: "/usr/bin/unshare",
  wrap({ program, args, cwd, env, mounts, network, setupFd }) {
    const inside = [
      ...Object.entries(env).flatMap(([name, value]) => (/^[A-Za-z_]\w*$/.test(name) ? [`export ${name}=${quote(value)}`] : [])),
      `cd ${quote(cwd)} || exit 126`,
    ];
    const end = `end-${randomUUID()}`;
    // The variables are set when every privilege is gone: some of them make programs load code.
    const run = `setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- /bin/sh -c 'eval "$(cat <&4)"; exec 4<&-; exec "$@"' sh "$@"`;
    const setup = [
      `unset ${markVariable}`,
      `new=${quote(placeFor(mounts))}`,
      opening,
      ...mounts.map(toStep),
      entering,
      `${run} 4<<'${end}'`,
      ...inside,
      end,
      "exit $?\n",
    ].join("\n");
    const shell = `setup=$(cat <&${setupFd}) && exec ${setupFd}<&- && eval "$setup"`;
    return {
      args: [
        ...namespaces(network),
        "--",
        "/usr/bin/setsid",
        "/bin/sh",
        "-c",
        setupFd === 0 ? 'eval "$(cat)"' : shell,
        "sh",
        program,
        ...args,
      ],
      setup,
      tellsPid: false,
    };
  },
};

function namespaces(network: boolean): string[] {
  const own = ["--user", "--map-root-user", "--mount", "--propagation", "private", "--pid", "--ipc", "--uts", "--cgroup"];
  return [...own, ...(network ? [] : ["--net"]), "--fork", "--kill-child"];
}

/** The new root is put together in a folder that this covers, so nothing that is to be seen may be below it. */
function placeFor(mounts: readonly Mount[]): string {
  const isFree = (place: string): boolean => !mounts.some(({ path }) => path === place || path.startsWith(`${place}/`));
  return ["/mnt", "/media", "/srv", "/home", "/root"].find((place) => existsSync(place) && isFree(place)) ?? "/mnt";
}

const opening = `set -e
umask 022
PATH=/usr/sbin:/usr/bin:/sbin:/bin
mount -t tmpfs -o nosuid,nodev,mode=755 tmpfs "$new"
point() {
  if [ -d "$1" ]; then mkdir -p "$new$1"; elif [ ! -e "$new$1" ]; then mkdir -p "$(dirname "$new$1")"; : > "$new$1"; fi
}
readable() {
  point "$1"
  mount --rbind "$1" "$new$1"
  while read -r _ _ _ _ at options _; do
    case $at in *\\\\*) at=$(printf %b "$at") ;; esac
    case $at in "$new$1" | "$new$1"/*) mount -o "remount,bind,$options,ro,nosuid" "$at" ;; esac
  done < /proc/self/mountinfo
}
writable() { point "$1"; mount --rbind "$1" "$new$1"; }
folder() { mkdir -p "$new$1"; mount -t tmpfs -o "nosuid,nodev,$2" tmpfs "$new$1"; }
blank() { [ -e "$new$1" ] || return 0; mount --bind /dev/null "$new$1"; mount -o remount,bind,ro,nosuid,nodev "$new$1"; }
mkdir "$new/proc" "$new/dev" "$new/.old"
mount -t proc -o nosuid,nodev,noexec proc "$new/proc"
mount -t tmpfs -o nosuid,mode=755,size=1048576 tmpfs "$new/dev"
for name in null zero full random urandom tty; do : > "$new/dev/$name"; mount --bind "/dev/$name" "$new/dev/$name"; done
mkdir "$new/dev/shm" "$new/dev/pts"
mount -t tmpfs -o nosuid,nodev,size=${mostTemporaryBytes} tmpfs "$new/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$new/dev/pts"
ln -s pts/ptmx "$new/dev/ptmx"
ln -s /proc/self/fd "$new/dev/fd"
for name in 0:stdin 1:stdout 2:stderr; do ln -s "/proc/self/fd/\${name%:*}" "$new/dev/\${name#*:}"; done`;

/** The old root is left for good. */
const entering = `cd "$new"
pivot_root . .old
cd /
umount -l /.old
rmdir /.old
mount -o remount,ro,nosuid,nodev /
set +e`;

function toStep(mount: Mount): string {
  const path = quote(mount.path);
  switch (mount.kind) {
    case "link":
      return `ln -s ${quote(mount.target)} "$new"${path}`;
    case "folder":
      return `folder ${path} size=${mount.maxBytes ?? mostTemporaryBytes},${mount.isWritable ? "rw" : "ro"}`;
    default:
      return `${mount.kind} ${path}`;
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
