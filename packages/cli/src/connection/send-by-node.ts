import { type ClientRequest, type IncomingMessage, request as requestPlain, type RequestOptions } from "node:http";
import { readFileSync } from "node:fs";
import { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import type { Send } from "./send.ts";

/** To a server that listens on a Unix socket of this machine. */
export function sendOverSocket(socketPath: string, key: string | undefined): Send {
  return sendWith({ socketPath, host: "localhost" }, key);
}

/**
 * To a server of this user on this machine that serves HTTPS. Its certificate is made out to a name, and perhaps by nobody whom this
 * machine trusts; that it is the one in the server's own file says more. Nothing is sent before that is known.
 */
export function sendWithCertificate(url: string, certificateFile: string, key: string | undefined): Send {
  const { hostname, port, host } = new URL(url);
  const createConnection = (_options: object, done: (error: Error | null, socket?: Socket) => void): undefined => {
    const socket = connectTls({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || 443), rejectUnauthorized: false }, () => {
      const expected = new X509Certificate(readFileSync(certificateFile)).fingerprint256;
      if (socket.getPeerX509Certificate()?.fingerprint256 === expected) return done(null, socket);
      socket.destroy();
      done(new Error(`its certificate is another one than that in ${certificateFile}`));
    });
    socket.once("error", (error) => done(error));
  };
  return sendWith({ host: hostname, headers: { host }, createConnection: createConnection as never }, key);
}

function sendWith(options: RequestOptions, key: string | undefined): Send {
  return async ({ method, path, query, headers, body, signal }) => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent: ClientRequest = requestPlain(
        {
          ...options,
          method,
          path: `${path}${query === "" ? "" : `?${query}`}`,
          headers: {
            ...(options.headers as Readonly<Record<string, string>> | undefined),
            ...(key !== undefined && { authorization: `Bearer ${key}` }),
            ...headers,
            ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
          },
          ...(signal && { signal }),
        },
        resolve,
      );
      sent.once("error", reject);
      sent.end(body);
    });
    return {
      status: response.statusCode ?? 0,
      contentType: response.headers["content-type"] ?? "",
      isToolrack: response.headers["toolrack-api"] !== undefined,
      header: (name) => String(response.headers[name] ?? "") || undefined,
      text: () => text(response),
      stream: () => Readable.toWeb(response) as ReadableStream<Uint8Array>,
    };
  };
}
