import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./postgres.mjs";

/** An nginx that hands request after request to server after server. */
export async function startNginx(urls) {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-faults-nginx-"));
  const port = await freePort();
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    configuration(
      folder,
      port,
      urls.map((url) => new URL(url).host),
    ),
  );
  const nginx = spawn("nginx", ["-c", file, "-p", folder, "-e", join(folder, "error.log")], { stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise((resolve) => nginx.once("exit", resolve));
  const url = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries++) {
    if (
      await fetch(`${url}/health`).then(
        () => true,
        () => false,
      )
    )
      break;
    await sleep(50);
  }
  return {
    url,
    async close() {
      nginx.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configuration(folder, port, hosts) {
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join("\n  ");
  return `daemon off;
user root;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 2048; }
http {
  access_log off;
  ${paths}
  upstream servers { ${hosts.map((host) => `server ${host} max_fails=0;`).join(" ")} }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://servers;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_buffering off;
      proxy_read_timeout 1h;
    }
  }
}
`;
}
