import { createHash } from "node:crypto";
import { type Loopback, startLoopback } from "@toolrack/testkit/loopback";

export interface CalendarServer extends Loopback {
  /** Path of an event → its iCalendar text. */
  readonly events: Map<string, string>;
}

/** Its version, as a server of CalDAV gives one. */
const etagOf = (text: string): string => `"${createHash("sha256").update(text).digest("hex").slice(0, 16)}"`;

/** A CalDAV server with one calendar at /work/, for ann with the password "p". It filters by nothing but a UID: clients look at times themselves. */
export async function startCalendarServer(): Promise<CalendarServer> {
  const events = new Map<string, string>();
  const server = await startLoopback(({ method, path, headers, body }, response) => {
    const end = (status: number, text = "", more: Record<string, string> = {}): void =>
      void response.writeHead(status, { "content-type": "application/xml", ...more }).end(text);
    if (headers.authorization !== `Basic ${Buffer.from("ann:p").toString("base64")}`) return end(401);
    if (method === "REPORT") {
      const uid = /<c:text-match[^>]*>([^<]*)</.exec(body)?.[1];
      const found = [...events].filter(([, text]) => uid === undefined || text.includes(uid));
      const responses = found.map(
        ([href, text]) =>
          `<d:response><d:href>${href}</d:href><d:propstat><d:prop><d:getetag>${etagOf(text)}</d:getetag><cal:calendar-data>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</cal:calendar-data></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`,
      );
      return end(
        207,
        `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:cal="urn:ietf:params:xml:ns:caldav">${responses.join("")}</d:multistatus>`,
      );
    }
    const current = events.get(path);
    const expected = headers["if-match"];
    if (expected !== undefined && (current === undefined || etagOf(current) !== expected)) return end(412);
    if (headers["if-none-match"] === "*" && current !== undefined) return end(412);
    if (method === "PUT") {
      events.set(path, body);
      return end(current === undefined ? 201 : 204, "", { etag: etagOf(body) });
    }
    if (method === "DELETE" && current !== undefined) {
      events.delete(path);
      return end(204);
    }
    return end(404);
  });
  return Object.assign(server, { events });
}
