import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";

/** What the words of the command say about an HTTP tool. */
export interface HttpToolOptions {
  /** With {parameters} in its path. */
  readonly url: string;
  readonly description: string;
  readonly method: string | undefined;
  /** "days?:integer=Number of days" */
  readonly parameters: readonly string[];
  /** "days=query" */
  readonly places: readonly string[];
  /** "Accept: text/plain" */
  readonly headers: readonly string[];
  /** The name of a secret. */
  readonly secret: string | undefined;
  /** "bearer", "basic", "header:X-Key", "query:key" */
  readonly auth: string;
}

/** The stored definition of an HTTP tool. Throws a usage error for words that have another form. */
export function toHttpDefinition(name: string, options: HttpToolOptions): Readonly<Record<string, unknown>> {
  const { url, description, method, secret, auth } = options;
  const inPath = [...url.matchAll(/\{([^{}]+)\}/g)].map(([, inner]) => inner!);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url.replaceAll(/[{}]/g, "x")))
    throw new CommandError("usage", `"${safe(url)}" is not an address such as https://api.example.com/users/{id}.`);
  mustHoldNoCredential(url);
  const given = options.parameters.map(readParameter);
  const all = [...inPath.filter((one) => !given.some((known) => known.name === one)).map(readParameter), ...given];
  const double = all.find(({ name: one }, index) => all.findIndex((other) => other.name === one) !== index);
  if (double !== undefined) throw new CommandError("usage", `The parameter "${safe(double.name)}" is given twice.`);
  const places = Object.fromEntries(
    options.places.map((text) =>
      readPlace(
        text,
        all.map((one) => one.name),
      ),
    ),
  );
  const headers = Object.fromEntries(options.headers.map(readHeader));
  const way = secret === undefined ? undefined : readAuth(auth);
  if (way !== undefined) mustBeAlone(way, [...Object.keys(headers), ...Object.keys(places).filter((one) => places[one] === "header")]);
  const hasBody = Object.values(places).includes("body");
  return {
    name,
    description,
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(all.map(({ name: one, schema }) => [one, schema])),
      required: all.filter((one) => !one.isOptional || inPath.includes(one.name)).map((one) => one.name),
      additionalProperties: false,
    },
    implementation: {
      kind: "http",
      endpoint: url,
      method: readMethod(method ?? (hasBody ? "POST" : "GET")),
      ...(Object.keys(places).length > 0 && { parameters: places }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(way !== undefined && { auth: { ...way, secret: `secret:${secret}` } }),
    },
    ...(secret !== undefined && { secrets: [secret] }),
  };
}

/** An input schema of words such as "celsius:number=Degrees Celsius". */
export function readParameters(words: readonly string[]): Readonly<Record<string, unknown>> {
  const all = words.map(readParameter);
  const double = all.find(({ name }, index) => all.findIndex((other) => other.name === name) !== index);
  if (double !== undefined) throw new CommandError("usage", `The parameter "${safe(double.name)}" is given twice.`);
  return {
    type: "object",
    properties: Object.fromEntries(all.map(({ name, schema }) => [name, schema])),
    required: all.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
    additionalProperties: false,
  };
}

interface Parameter {
  readonly name: string;
  readonly isOptional: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

const types = ["string", "integer", "number", "boolean", "array", "object"] as const;

/** "city" → a text that is required; "days?:integer=Number of days" → an optional whole number. */
function readParameter(text: string): Parameter {
  const [, name, mark, type = "string", description] = /^([A-Za-z_][\w-]*)(\?)?(?::([a-z]+))?(?:=(.*))?$/s.exec(text) ?? [];
  if (name === undefined || !(types as readonly string[]).includes(type))
    throw new CommandError(
      "usage",
      `"${safe(text)}" is not a parameter. Use name, name:type or name?:type=description; types are ${types.join(", ")}.`,
    );
  return { name, isOptional: mark === "?", schema: { type, ...(description !== undefined && { description }) } };
}

function readPlace(text: string, names: readonly string[]): readonly [string, string] {
  const [, name, place] = /^(.+)=(query|body|header)$/.exec(text) ?? [];
  if (name === undefined || place === undefined)
    throw new CommandError("usage", `"${safe(text)}" does not say where a parameter goes. Use name=query, name=body or name=header.`);
  if (!names.includes(name))
    throw new CommandError("usage", `--in names "${safe(name)}", which is no parameter. Add it with --param ${safe(name)}.`);
  return [name, place];
}

/** What looks like the name of a credential. */
const credentialName = /auth|key|token|secret|cookie|password/i;

/** The address is stored and shown. It is not repeated here. */
function mustHoldNoCredential(address: string): void {
  const { username, password, searchParams } = new URL(address.replaceAll(/[{}]/g, "x"));
  if (username !== "" || password !== "")
    throw new CommandError(
      "usage",
      "The address contains a user or password, which is not stored in a definition. Use --secret <name> with user:password as its value, and --auth basic.",
    );
  const name = [...searchParams.keys()].find((one) => credentialName.test(one));
  if (name !== undefined)
    throw new CommandError(
      "usage",
      `The parameter ${safe(name)} of the address looks like a credential, which is not stored in a definition. Use --secret <name>, and --auth query:${safe(name)}.`,
    );
}

/** Headers of one name would be sent as one. */
function mustBeAlone({ type, name }: { readonly type: string; readonly name?: string }, others: readonly string[]): void {
  const own = type === "header" ? name! : type === "query" ? undefined : "Authorization";
  if (own === undefined || !others.some((other) => other.toLowerCase() === own.toLowerCase())) return;
  throw new CommandError(
    "usage",
    `The header ${safe(own)} is sent with the secret, so no parameter and no --header can set it. Choose another name.`,
  );
}

function readHeader(text: string): readonly [string, string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/s.exec(text) ?? [];
  // The text is not repeated: it may be a credential alone.
  if (name === undefined || value === undefined)
    throw new CommandError("usage", '--header takes "Name: value", and one of yours has another form.');
  if (credentialName.test(name))
    throw new CommandError(
      "usage",
      `The header ${name} looks like a credential, which is not stored in a definition. Use --secret <name>, and --auth ${/^authorization$/i.test(name) ? "bearer" : `header:${name}`}.`,
    );
  return [name, value];
}

function readMethod(text: string): string {
  if (/^(GET|HEAD|POST|PUT|PATCH|DELETE)$/i.test(text)) return text.toUpperCase();
  throw new CommandError("usage", `"${safe(text)}" is not a method. Use GET, HEAD, POST, PUT, PATCH or DELETE.`);
}

function readAuth(text: string): { readonly type: string; readonly name?: string } {
  const [, type, name] = /^(bearer|basic|header|query)(?::(.+))?$/.exec(text) ?? [];
  const needsName = type === "header" || type === "query";
  if (type === undefined || needsName !== (name !== undefined))
    throw new CommandError(
      "usage",
      `"${safe(text)}" does not say how the secret is sent. Use bearer, basic, header:<name> or query:<name>.`,
    );
  return name === undefined ? { type } : { type, name };
}
