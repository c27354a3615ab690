import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { own, ownList, ownObject, ownText } from "../document/json.ts";
import type { SpecVersion } from "../document/version.ts";

export interface ReadServer {
  /** Absolute, without a slash at its end. */
  readonly url: string | undefined;
  readonly warning?: string;
  /** It is the document's, so that what is told about it is told once. */
  readonly isShared: boolean;
}

const maxLength = 2_000;

/** Where an operation is sent: its own server, that of its path, or of the document; the first entry, with the variables' default values. */
export function readServer(root: JsonObject, version: SpecVersion, url: string | undefined, levels: readonly JsonObject[]): ReadServer {
  const isShared = !levels.some((level) => ownList(level, version === "2.0" ? "schemes" : "servers").length > 0);
  const given = version === "2.0" ? swaggerServer(root, url, levels[0]) : openApiServer([...levels, root]);
  if (given.length > maxLength)
    return { isShared, url: undefined, warning: `The server "${shown(given)}" has more than ${maxLength} characters. Set baseUrl.` };
  const open = /\{([^{}]+)\}/.exec(given)?.[1];
  if (open !== undefined)
    return {
      isShared,
      url: undefined,
      warning: `The server "${shown(given)}" has no value for "${shown(open)}". Set baseUrl to the whole address.`,
    };
  if (URL.canParse(given) || (url !== undefined && URL.canParse(given, url))) {
    const server = URL.canParse(given) ? new URL(given) : new URL(given, url);
    if (!/^https?:$/.test(server.protocol) || server.host === "")
      return { isShared, url: undefined, warning: `The server "${shown(given)}" is not one of http or https. Set baseUrl.` };
    if (server.username !== "" || server.password !== "")
      return {
        isShared,
        url: undefined,
        warning: `The server of ${server.host} has credentials in its URL. Set baseUrl without them, and use secrets.`,
      };
    server.hash = "";
    return { isShared, url: server.href.replace(/\/+(?=\?|$)/, "") };
  }
  return {
    isShared,
    url: undefined,
    warning: `The server "${shown(given)}" is relative. Set baseUrl, or url to where the document came from.`,
  };
}

/**
 * A sentence if an operation signs in at another origin than that of the document's own server: one that somebody added to a document would get the
 * credentials of all others.
 */
export function warnOfOtherOrigin(server: ReadServer, root: JsonObject, version: SpecVersion, url: string | undefined): string | undefined {
  const main = server.isShared || server.url === undefined ? undefined : readServer(root, version, url, []).url;
  if (main === undefined || new URL(main).origin === new URL(server.url!).origin) return undefined;
  return `Some operations are sent to ${new URL(server.url!).origin}, and not to the server of the document, ${new URL(main).origin}: credentials go there, too. Exclude them, or set baseUrl, if that is not meant.`;
}

function openApiServer(levels: readonly JsonObject[]): string {
  for (const level of levels) {
    const server = ownList(level, "servers").find(isObject);
    const template = ownText(server, "url");
    if (template !== undefined) return fill(template, ownObject(server, "variables"));
  }
  return "/";
}

function fill(template: string, variables: JsonObject | undefined): string {
  if (template.length > maxLength) return template;
  return template.trim().replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const value = own(ownObject(variables, name), "default") ?? ownList(ownObject(variables, name), "enum")[0];
    return typeof value === "string" || typeof value === "number" ? String(value).slice(0, maxLength + 1) : whole;
  });
}

function swaggerServer(root: JsonObject, url: string | undefined, operation: JsonObject | undefined): string {
  const own_ = ownList(operation, "schemes");
  const schemes = (own_.length > 0 ? own_ : ownList(root, "schemes")).filter((scheme) => scheme === "http" || scheme === "https");
  const from = url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
  const scheme = schemes.includes("https") ? "https" : (schemes[0] ?? from?.protocol.replace(":", "") ?? "https");
  const host = ownText(root, "host") ?? from?.host;
  const basePath = ownText(root, "basePath") ?? "/";
  return host === undefined ? basePath : `${String(scheme)}://${host}${basePath.startsWith("/") ? "" : "/"}${basePath}`;
}

function shown(text: string): string {
  return text.slice(0, 200);
}
