import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { hasPart } from "@toolrack/core/testing";
import { validate as validateDockerfile } from "dockerfile-utils";
import { afterAll, describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readConfig } from "../../packages/server/src/config/read.ts";
import { root } from "../lib/files.mjs";

const require = createRequire(import.meta.url);
const deploy = join(root, "packages/cli/template/deploy");
const read = (...path) => readFileSync(join(deploy, ...path), "utf8");
const folder = mkdtempSync(join(tmpdir(), "toolrack-deploy-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const manifests = readdirSync(join(deploy, "kubernetes")).flatMap((file) =>
  parseAllDocuments(read("kubernetes", file)).map((document) => ({ file, manifest: document.toJS() })),
);
/** The manifest of a kind, and a name where a file has several. */
const manifestOf = (file, kind, name) =>
  manifests.find(
    (one) => one.file === file && one.manifest.kind === kind && (name ?? one.manifest.metadata.name) === one.manifest.metadata.name,
  ).manifest;
const configOf = (file) => manifestOf(file, "ConfigMap").data["toolrack.config.yaml"];

const hasSystemd = hasPart("systemd-analyze", spawnSync("systemd-analyze", ["--version"], { stdio: "ignore" }).error === undefined);

describe("the units of systemd", () => {
  it.skipIf(!hasSystemd)("are accepted by systemd-analyze", () => {
    const units = readdirSync(join(deploy, "systemd"));
    for (const name of units) {
      // The program and the user are of the machine that it is deployed to.
      const text = read("systemd", name)
        .replace("/srv/toolrack/node_modules/.bin/toolrack serve", "/bin/true")
        .replaceAll(/^(User|Group)=.*$/gm, "$1=root");
      writeFileSync(join(folder, name), text);
    }
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", ...units.map((name) => join(folder, name))], { encoding: "utf8" });
    // Other units of this machine may have faults of their own.
    expect({ status, faults: stderr.split("\n").filter((line) => line.includes("toolrack")) }).toEqual({ status: 0, faults: [] });
  });

  it("give the server more time to stop than its file does", () => {
    const { server } = parse(read("container", "toolrack.config.yaml"));
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(read("systemd", "toolrack.service"))[1]);
    expect(seconds * 1_000).toBeGreaterThan((server.drainDelayMs ?? 0) + (server.graceMs ?? 10_000));
  });
});

describe("the unit of the server", () => {
  const unit = Object.fromEntries(
    [...read("systemd", "toolrack.service").matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );

  it("waits until the server answers, and ends one that stands still", () => {
    expect(unit).toMatchObject({ Type: "notify", NotifyAccess: "all", Restart: "on-failure" });
    // The server sends three messages in this time.
    expect(Number(unit.WatchdogSec)).toBeGreaterThanOrEqual(15);
  });

  it("has limits of memory that leave the server alive when a program of a tool takes too much", () => {
    const [high, most] = [unit.MemoryHigh, unit.MemoryMax].map((text) => Number.parseInt(text, 10) * (text.endsWith("G") ? 1_024 : 1));
    expect(high).toBeLessThan(most);
    expect(unit.OOMPolicy).toBe("continue");
    // The same as that of a container.
    expect(`${unit.MemoryMax}i`).toBe(manifestOf("toolrack.yaml", "StatefulSet").spec.template.spec.containers[0].resources.limits.memory);
  });
});

describe("the container", () => {
  it("has a Dockerfile without a fault", () => {
    expect(validateDockerfile(read("container", "Dockerfile")).map(({ message }) => message)).toEqual([]);
    // The linter notices.
    expect(validateDockerfile("FROM node\nHEALTHCECK CMD true\n")).not.toEqual([]);
  });

  it("has a compose file that follows the specification, with the health check of the Dockerfile", () => {
    const { DCLinter } = require("dclint");
    const linter = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] });
    const lint = (file) =>
      linter
        .lintFiles([file], false)
        .flatMap(({ messages }) => messages)
        .filter(({ rule, type }) => type === "error" && !style.has(rule))
        .map(({ rule, message }) => `${rule}: ${message}`);
    expect(lint(join(deploy, "container", "compose.yaml"))).toEqual([]);
    writeFileSync(join(folder, "compose.yaml"), "services:\n  a:\n    image: b:1\n    health_check: { test: x }\n");
    expect(lint(join(folder, "compose.yaml"))).not.toEqual([]);
    const { healthcheck } = parse(read("container", "compose.yaml")).services.toolrack;
    const inFile = JSON.parse(/HEALTHCHECK [^]*?CMD (\[.*\])$/m.exec(read("container", "Dockerfile"))[1]);
    expect(healthcheck.test).toEqual(["CMD", ...inFile]);
  });

  it("takes only what the Dockerfile copies", () => {
    const copied = [...read("container", "Dockerfile").matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, list]) => list.split(" "));
    const allowed = read("container", ".dockerignore").trim().split("\n");
    expect(allowed).toEqual(["*", ...copied.map((name) => `!${name}`)]);
  });
});

/** Rules about the order and the style of keys. */
const style = new Set(["service-keys-order", "services-alphabetical-order", "top-level-properties-order", "no-build-and-image"]);

describe("the manifests of Kubernetes", () => {
  it.each(manifests.map(({ file, manifest }) => [`${file} ${manifest.kind} ${manifest.metadata.name}`, manifest]))(
    "%s is valid",
    (_, manifest) => {
      expect(faultsOf(manifest)).toBeUndefined();
    },
  );

  it("are checked: a wrong field is noticed", () => {
    const set = manifestOf("toolrack.yaml", "StatefulSet");
    expect(faultsOf({ ...set, spec: { ...set.spec, replicas: "one" } })).toMatch(/replicas/);
    const budget = manifestOf("cluster.yaml", "PodDisruptionBudget");
    expect(faultsOf({ ...budget, spec: { ...budget.spec, unhealthyPodEvictionPolicy: 1 } })).toMatch(/unhealthyPodEvictionPolicy/);
  });

  it.each(["toolrack.yaml", "cluster.yaml"])("of %s fit together: names, ports, volumes, selectors and times", (file) => {
    const { spec } = manifestOf(file, "StatefulSet");
    const { containers, volumes, terminationGracePeriodSeconds } = spec.template.spec;
    const [{ volumeMounts, env, readinessProbe, ports, args }] = containers;
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    const service = manifestOf(file, "Service", "toolrack");
    expect(service.spec.selector).toEqual(spec.selector.matchLabels);
    expect(ports.map(({ name }) => name)).toContain(service.spec.ports[0].targetPort);
    expect(manifests.some((one) => one.file === file && one.manifest.metadata.name === spec.serviceName)).toBe(true);
    const volumeNames = [...volumes, ...spec.volumeClaimTemplates.map(({ metadata }) => metadata)].map(({ name }) => name);
    expect(volumeNames).toEqual(expect.arrayContaining(volumeMounts.map(({ name }) => name)));
    const config = args[args.indexOf("--config") + 1];
    expect(
      volumeMounts.some(({ mountPath, subPath }) => config === (subPath === undefined ? `${mountPath}/toolrack.config.yaml` : mountPath)),
    ).toBe(true);
    const keys = env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef.key ?? []);
    const known = [...Object.keys(manifestOf("secret.yaml", "Secret").stringData), ...(file === "cluster.yaml" ? ["database-url"] : [])];
    expect(known).toEqual(expect.arrayContaining(keys));
    const { server } = parse(configOf(file));
    expect(terminationGracePeriodSeconds * 1_000).toBeGreaterThan(server.drainDelayMs + server.graceMs);
    // A check of the store takes two seconds at most, and has to be answered before the probe gives up.
    expect(readinessProbe.timeoutSeconds).toBeGreaterThan(2);
  });

  it("of the nightly backup use the volume of the first server", () => {
    const job = manifestOf("backup.yaml", "CronJob").spec.jobTemplate.spec.template.spec;
    expect(job.volumes.map(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName)).toContain("data-toolrack-0");
  });
});

describe("the manifests of a cluster", () => {
  const file = "cluster.yaml";
  const { spec } = manifestOf(file, "StatefulSet");
  const config = parse(configOf(file));
  const [container] = spec.template.spec.containers;
  const [worker] = manifestOf(file, "Deployment").spec.template.spec.containers;

  it("run several servers on one database, whose disks keep the ends of calls", () => {
    expect(spec.replicas).toBeGreaterThan(1);
    expect(config.store).toEqual({ postgres: "env:DATABASE_URL" });
    // Ends of calls are in .toolrack beside the configuration.
    const folder = dirname(container.args[container.args.indexOf("--config") + 1]);
    const disk = container.volumeMounts.find(({ mountPath }) => mountPath === folder);
    expect(spec.volumeClaimTemplates.map(({ metadata }) => metadata.name)).toContain(disk?.name);
    expect(disk.readOnly).toBeUndefined();
  });

  it("take a server out of the balancer before it stops, and one at a time from nodes", () => {
    const { periodSeconds, failureThreshold } = container.readinessProbe;
    expect(config.server.drainDelayMs).toBeGreaterThan(periodSeconds * failureThreshold * 1_000);
    const budget = manifestOf(file, "PodDisruptionBudget").spec;
    expect(budget.selector.matchLabels).toEqual(spec.selector.matchLabels);
    expect(budget.maxUnavailable).toBe(1);
    expect(spec.replicas - budget.maxUnavailable).toBeGreaterThan(1);
  });

  it("have a Service without an address of its own that names each server", () => {
    const { spec: service } = manifestOf(file, "Service", spec.serviceName);
    expect(service.clusterIP).toBe("None");
    expect(service.selector).toEqual(spec.selector.matchLabels);
  });

  it("probe the process to restart it, and the store only to send it no requests", () => {
    const { startupProbe, livenessProbe, readinessProbe } = container;
    expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path)).toEqual(["/health", "/health", "/ready"]);
  });

  it("start workers of the pool that the configuration has, with the tools of the image, at the same broker, and without keys of the store", () => {
    const { workers } = config.sources.work;
    expect(worker.args).toEqual(expect.arrayContaining([`--connect=${workers.connect}`, `--pool=${workers.pool ?? "work"}`]));
    const [, place] = /^WORKDIR (\S+)$/m.exec(read("container", "Dockerfile"));
    expect(worker.args.slice(0, 2)).toEqual(["worker", `${place}/tools.ts`]);
    expect(worker.env).toBeUndefined();
    const { matchLabels } = manifestOf(file, "Deployment").spec.selector;
    expect(matchLabels).not.toEqual(spec.selector.matchLabels);
  });
});

it.each([
  ["container", () => read("container", "toolrack.config.yaml")],
  ["kubernetes", () => configOf("toolrack.yaml")],
  ["a cluster on kubernetes", () => configOf("cluster.yaml")],
])("the configuration of %s has no issue and no warning", (_, textOf) => {
  const { issues, warnings } = readConfig(textOf(), "/srv/toolrack/toolrack.config.yaml");
  expect({ issues: issues ?? [], warnings: warnings ?? [] }).toEqual({ issues: [], warnings: [] });
});

it("Kubernetes serves the tools that the image carries", () => {
  const { modules } = parse(configOf("toolrack.yaml")).tools;
  const [, place] = /^WORKDIR (\S+)$/m.exec(read("container", "Dockerfile"));
  expect(read("container", "Dockerfile")).toMatch(/^COPY tools\.ts \.\/$/m);
  expect(modules).toEqual([`${place}/tools.ts`]); // the configuration is in another folder than the image's
});

it("the Caddyfile is balanced, and has only directives of Caddy 2", () => {
  const known = ["reverse_proxy", "flush_interval", "header_up", "transport", "response_header_timeout"];
  let depth = 0;
  for (const line of read("caddy", "Caddyfile")
    .split("\n")
    .map((one) => one.trim())) {
    if (line === "" || line.startsWith("#")) continue;
    if (line === "}") depth -= 1;
    else {
      if (depth > 0) expect(known).toContain(line.split(" ")[0]);
      if (line.endsWith(" {")) depth += 1;
    }
    expect(depth).toBeGreaterThanOrEqual(0);
  }
  expect(depth).toBe(0);
});

/** What the schema of its kind says of a manifest, and of fields that it does not have; undefined: nothing. */
function faultsOf(manifest) {
  const [group, version] = manifest.apiVersion.includes("/") ? manifest.apiVersion.split("/") : ["", manifest.apiVersion];
  const path = ["kubernetes-models", ...(group === "" ? [] : [group]), version, manifest.kind].join("/");
  const Model = require(path)[manifest.kind];
  try {
    new Model(manifest).validate();
    return undefined;
  } catch (error) {
    return String(error.message);
  }
}
