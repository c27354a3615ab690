import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasPart } from "@toolrack/core/testing";
import { freePort } from "./ports.ts";

/** Whether there is an nginx to put before servers. */
export const hasNginx: boolean = hasPart("nginx", spawnSync("nginx", ["-v"], { stdio: "ignore" }).error === undefined);

export interface Nginx {
  /** "http://127.0.0.1:40123" */
  readonly url: string;
  stop(): Promise<void>;
}

/** A balancer that hands each request to the next server: "127.0.0.1:7333" or "unix:/run/toolrack.sock". No connection is used twice. */
export async function startNginx(upstreams: readonly string[], headers: readonly string[] = []): Promise<Nginx> {
  return startNginxWith((port) => balancer({ port, upstreams, headers }));
}

/** An nginx with these contents of its `http` block, for the port that it gets. `isOtherUser`: its workers run as another user than the test, which has to be root. */
export async function startNginxWith(
  contents: (port: number) => string,
  { isOtherUser = false }: { readonly isOtherUser?: boolean } = {},
): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-nginx-"));
  mkdirSync(join(folder, "temporary"));
  const port = await freePort();
  writeFileSync(
    join(folder, "nginx.conf"),
    configuration(contents(port), process.getuid?.() !== 0 ? undefined : isOtherUser ? `nobody ${groupOfNobody()}` : "root"),
  );
  const child: ChildProcess = spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; ; tries++) {
    if (await fetch(url).then(Boolean, () => false)) return { url, stop };
    if (tries > 200 || child.exitCode !== null) {
      await stop();
      throw new Error("nginx does not start.");
    }
    await sleep(25);
  }
}

function configuration(contents: string, user: string | undefined): string {
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path temporary/${name};`);
  return `daemon off;
worker_processes 1;
pid nginx.pid;
error_log stderr crit;
${user === undefined ? "" : `user ${user};`}
events { worker_connections 2048; }
http {
  access_log off;
  ${paths.join("\n  ")}
  ${contents}
}
`;
}

/** Distributions differ. */
function groupOfNobody(): string {
  return /^nogroup:/m.test(readFileSync("/etc/group", "utf8")) ? "nogroup" : "nobody";
}

interface Balancer {
  readonly port: number;
  readonly upstreams: readonly string[];
  readonly headers: readonly string[];
}

function balancer({ port, upstreams, headers }: Balancer): string {
  return `upstream toolrack {
    ${upstreams.map((server) => `server ${server} max_fails=0;`).join("\n    ")}
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://toolrack;
      proxy_http_version 1.1;
      proxy_buffering off;
      proxy_read_timeout 1h;
      proxy_set_header Host $http_host;
      proxy_set_header Connection "";
      ${headers.map((header) => `proxy_set_header ${header};`).join("\n      ")}
    }
  }
`;
}
