import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

const manifests = readdirSync(join(deploy, "kubernetes")).flatMap((file) =>
  parseAllDocuments(read("kubernetes", file)).map((document) => ({ file, manifest: document.toJS() })),
);

describe("the manifests of Kubernetes", () => {
  it.each(manifests.map(({ file, manifest }) => [`${file} ${manifest.kind}`, manifest]))("%s is valid", (_, manifest) => {
    expect(faultsOf(manifest)).toBeUndefined();
  });

  it("are checked: a wrong field is noticed", () => {
    const set = manifests.find(({ manifest }) => manifest.kind === "StatefulSet").manifest;
    expect(faultsOf({ ...set, spec: { ...set.spec, replicas: "one" } })).toMatch(/replicas/);
  });

  it("fit together: names, ports, volumes and selectors", () => {
    const of = (kind) => manifests.find(({ manifest }) => manifest.kind === kind).manifest;
    const { spec } = of("StatefulSet");
    const { containers, volumes } = spec.template.spec;
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
    expect(of("Service").spec.selector).toEqual(spec.selector.matchLabels);
    const volumeNames = [...volumes, ...spec.volumeClaimTemplates.map(({ metadata }) => metadata)].map(({ name }) => name);
    expect(volumeNames).toEqual(expect.arrayContaining(containers[0].volumeMounts.map(({ name }) => name)));
    expect(of("Secret").stringData).toHaveProperty(containers[0].env.find(({ valueFrom }) => valueFrom).valueFrom.secretKeyRef.key);
    const job = of("CronJob").spec.jobTemplate.spec.template.spec;
    expect(job.volumes.map(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName)).toContain("data-toolrack-0");
    const { server } = parse(of("ConfigMap").data["toolrack.config.yaml"]);
    expect(spec.template.spec.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(server.drainDelayMs + server.graceMs);
  });
});

it.each([
  ["container", () => read("container", "toolrack.config.yaml")],
  ["kubernetes", () => manifests.find(({ manifest }) => manifest.kind === "ConfigMap").manifest.data["toolrack.config.yaml"]],
])("the configuration of %s has no issue and no warning", (_, textOf) => {
  const { issues, warnings } = readConfig(textOf(), "/srv/toolrack/toolrack.config.yaml");
  expect({ issues: issues ?? [], warnings: warnings ?? [] }).toEqual({ issues: [], warnings: [] });
});

it("Kubernetes serves the tools that the image carries", () => {
  const { modules } = parse(manifests.find(({ manifest }) => manifest.kind === "ConfigMap").manifest.data["toolrack.config.yaml"]).tools;
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
