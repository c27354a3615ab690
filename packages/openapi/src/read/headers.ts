/** What the name of a header, or of a cookie that is written as it is, may consist of. */
export const headerName: RegExp = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

const connection: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "upgrade",
  "te",
  "trailer",
  "keep-alive",
  "expect",
  "content-encoding",
  "http2-settings",
]);

/** Whether a header belongs to the connection: whoever sets it changes where a request ends or arrives. */
export function isConnectionHeader(name: string): boolean {
  const plain = name.toLowerCase();
  return connection.has(plain) || plain.startsWith("proxy-");
}

const steering: ReadonlySet<string> = new Set([
  "cookie",
  "forwarded",
  "x-http-method",
  "x-http-method-override",
  "x-method-override",
  "x-original-url",
  "x-rewrite-url",
]);

/** Whether a header makes a server, or one in between, read another method, path, sender or cookie than those of the request. */
export function isSteeringHeader(name: string): boolean {
  const plain = name.toLowerCase();
  return steering.has(plain) || plain.startsWith("x-forwarded-");
}
