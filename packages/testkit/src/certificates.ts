import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasPart } from "@toolrack/core/testing";

/** Whether there is an openssl to make certificates with. */
export const hasOpenssl: boolean = hasPart("openssl", spawnSync("openssl", ["version"], { stdio: "ignore" }).error === undefined);

export interface TestCertificate {
  /** As PEM. */
  readonly cert: string;
  readonly key: string;
}

/** A certificate of its own authority, made out to tools.example.com. */
export function makeCertificate(): TestCertificate {
  const kind = "-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout - -days 2".split(" ");
  const name = ["-subj", "/CN=tools.example.com", "-addext", "subjectAltName=DNS:tools.example.com"];
  const pem = execFileSync("openssl", ["req", ...kind, ...name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const part = (name: string): string => new RegExp(`-----BEGIN ${name}-----[^]*?-----END ${name}-----\n`).exec(pem)![0];
  return { cert: part("CERTIFICATE"), key: part("PRIVATE KEY") };
}

export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

/** Writes both files, the key for its owner alone. */
export function writeCertificate(folder: string, { cert, key }: TestCertificate): CertificateFiles {
  const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key, { mode: 0o600 });
  return files;
}
