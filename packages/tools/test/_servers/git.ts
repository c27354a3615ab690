import { spawn } from "node:child_process";
import { type AddressInfo, createServer } from "node:net";

/** Repositories below a folder, served and taken over the git protocol on this machine alone. */
export async function serveGit(folder: string): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((socket) => {
    const daemon = spawn("git", ["daemon", "--inetd", "--export-all", "--enable=receive-pack", `--base-path=${folder}`, folder], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    for (const stream of [socket, daemon.stdin, daemon.stdout]) stream.on("error", () => {});
    socket.pipe(daemon.stdin);
    daemon.stdout.pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `git://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
