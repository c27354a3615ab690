import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { createSecureContext, type SecureContextOptions } from "node:tls";
import type { Logger } from "@toolrack/core";
import { ServerError } from "../../errors.ts";
import { readSecretFile } from "../../rack/keys-and-tokens/secret-file.ts";

/** The PEM files of a certificate and its key. */
export interface CertificateFiles {
  /** The certificate, followed by the intermediate certificates. */
  readonly cert: string;
  /** The private key; no other user may read it. */
  readonly key: string;
}

export interface Certificate {
  /** As it was read at the start. */
  readonly options: SecureContextOptions;
  /** Calls the listener with each new pair. Returns a function that stops it. */
  follow(use: (options: SecureContextOptions) => void): () => void;
}

/** Throws TLS_INVALID if the files cannot be used. */
export function openCertificate(files: CertificateFiles, log: Logger): Certificate {
  const signature = signatureOf(files);
  const options = read(files, log);

  return {
    options,
    follow(use) {
      const hasChanged = createChangeWatch(signature);
      const timer = setInterval(() => {
        if (!hasChanged(signatureOf(files))) return;
        try {
          use(read(files, log));
          log.info("The certificate was read again.", { cert: files.cert });
        } catch (error) {
          log.error("The new certificate cannot be used; the previous one stays in use.", { error: (error as Error).message });
        }
      }, lookEveryMs).unref();
      return () => clearInterval(timer);
    },
  };
}

const lookEveryMs = 1_000;

/**
 * Takes what is seen at each look, and tells whether it differs from what was taken last and has stopped changing: two files cannot be
 * replaced atomically.
 */
export function createChangeWatch(first: string): (now: string) => boolean {
  let [taken, seen] = [first, first];
  return (now) => {
    const isSettled = now === seen;
    seen = now;
    if (!isSettled || now === taken) return false;
    taken = now;
    return true;
  };
}

/** Changes with either file, also if a link leads to another file. Never throws: reading the files tells what is wrong with them. */
function signatureOf({ cert, key }: CertificateFiles): string {
  return [cert, key]
    .map((file) => {
      try {
        const { ino, size, mtimeNs } = statSync(file, { bigint: true });
        return `${ino} ${size} ${mtimeNs}`;
      } catch (error) {
        return String((error as NodeJS.ErrnoException).code);
      }
    })
    .join(", ");
}

function read({ cert: certFile, key: keyFile }: CertificateFiles, log: Logger): SecureContextOptions {
  try {
    const cert = readFileSync(certFile);
    const key = readSecretFile(keyFile, "TLS key");
    if (key === undefined) throw new Error(`there is no file ${keyFile}`);
    const options: SecureContextOptions = { cert, key, minVersion: "TLSv1.2" };
    createSecureContext(options);
    const { validTo } = new X509Certificate(cert);
    if (Date.parse(validTo) <= Date.now())
      log.error("The certificate has expired, and clients will refuse it. Renew it.", { cert: certFile, validTo });
    return options;
  } catch (error) {
    throw new ServerError(
      "TLS_INVALID",
      `The certificate ${certFile} and the key ${keyFile} cannot be used for TLS: ${(error as Error).message.replace(/\.$/, "")}. Correct server.tls.cert and server.tls.key in the configuration, or the files.`,
      { cause: error },
    );
  }
}
