/** An OpenAPI document with something wrong in it. */
export interface BadDocument {
  readonly what: string;
  /** "json" or "yaml": the ending of a file that holds it. */
  readonly ending: "json" | "yaml";
  readonly text: () => string;
  /** What is told about it; a document of which nothing can be read is told with the next step. */
  readonly fact: RegExp;
}

/** One whose other operations live. */
export interface BadOperation extends BadDocument {
  /** The operation that is refused; undefined where all of them live, and a warning tells the fact. */
  readonly refused?: string;
}

/** The operation that every document of `badOperations` has beside the bad one. */
export const fineOperation = "fine";

const bomb = (): string =>
  ["a0: &a0 [x,x,x,x,x,x,x,x,x]", ...Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join()}]`)].join(
    "\n",
  );

/** Nothing of these can be read. */
export const badDocuments: readonly BadDocument[] = [
  {
    what: "truncated JSON",
    ending: "json",
    text: () => '{"openapi":"3.1.0","paths":{"/x":{"get":',
    fact: /not valid JSON at line 1.*cut off\. Give the whole text/,
  },
  {
    what: "truncated YAML",
    ending: "yaml",
    text: () => "openapi: 3.1.0\npaths: {\n  /x: {get: [",
    fact: /not valid YAML at line \d+, column \d+.*\. Give the whole text/,
  },
  {
    what: "an alias bomb",
    ending: "yaml",
    text: () => `openapi: 3.1.0\npaths: {}\n${bomb()}\n`,
    fact: /repeats too much by aliases\. Write out/,
  },
  {
    what: "endless depth",
    ending: "json",
    text: () => `{"openapi":"3.1.0","x":${"[".repeat(100_000)}`,
    fact: /(?:not valid JSON.*|nested too deeply)\. (?:Give|Use)/,
  },
  {
    what: "a wrong version",
    ending: "json",
    text: () => '{"openapi":"9.0.0","paths":{}}',
    fact: /the version "9\.0\.0"\. Give a document of OpenAPI 3\.0/,
  },
  {
    what: "Swagger 1",
    ending: "json",
    text: () => '{"swaggerVersion":"1.2","apis":[]}',
    fact: /neither "openapi" nor "swagger".*\. Give a document/,
  },
  { what: "an empty text", ending: "yaml", text: () => "\n", fact: /is empty\. Give the whole text/ },
  {
    what: "a page",
    ending: "yaml",
    text: () => "<!doctype html><html><body>Sign in</body></html>",
    fact: /(?:not an object|not valid YAML).*\. Give the whole text/,
  },
];

/** 50 MB of JSON, which every door but the library's refuses for its size. */
export const hugeDocument = (): string => `{"openapi":"3.1.0","paths":{},"x-filler":"${"x".repeat(50_000_000)}"}`;

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const body = (schema: object): object => ({ post: { requestBody: { content: { "application/json": { schema } } } } });
const withPath = (path: string, item: object, more: object = {}): string =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Bad", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: { [path]: item, "/fine": { get: { operationId: fineOperation } } },
    components: {
      schemas: { A: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/A" }, Self: { allOf: [ref("Self")] } },
    },
    ...more,
  });

const refusing = (what: string, path: string, item: object, operation: string, fact: RegExp): BadOperation => ({
  what,
  ending: "json",
  text: () => withPath(path, item),
  refused: operation,
  fact,
});

/** One operation of each is bad, or one fact of the document. */
export const badOperations: readonly BadOperation[] = [
  refusing("references in a circle", "/x", body(ref("A")), "POST /x", /refers to itself, with nothing else in it/),
  refusing("a schema of itself", "/x", body(ref("Self")), "POST /x", /"Self" refers to itself without end/),
  refusing("a missing target", "/x", body(ref("Gone")), "POST /x", /which the document does not have\. Mend/),
  refusing("a reference to the web", "/x", body({ $ref: "https://other.example/a.json" }), "POST /x", /outside of the document.*Load it/),
  refusing("a reference to a file", "/x", body({ $ref: "file:///etc/passwd" }), "POST /x", /outside of the document.*Load it/),
  refusing("a relative reference", "/x", body({ $ref: "../../secret.yaml#/a" }), "POST /x", /outside of the document.*Load it/),
  refusing("path traversal", "/a/../../admin", { get: {} }, "GET /a/../../admin", /"\.\." as a segment/),
  refusing(
    "CRLF in a header's name",
    "/x",
    { get: { parameters: [{ name: "X\r\nY", in: "header" }] } },
    "GET /x",
    /cannot be the name of a header/,
  ),
  refusing("a homoglyph", "/x", { get: { parameters: [{ name: "p\u0430ssword", in: "query" }] } }, "GET /x", /looks like "password"/),
  refusing("a method that is never sent", "/x", { trace: {} }, "TRACE /x", /never sent\. Exclude/),
  refusing("no operation", "/x", { get: 5 }, "GET /x", /not an object\. Describe it/),
  {
    what: "a key that occurs twice",
    ending: "json",
    text: () => withPath("/x", { get: { operationId: "one" } }).replace('"paths":', '"paths":{},"paths":'),
    fact: /has the key "paths" twice/,
  },
  {
    what: "a relative server without a base",
    ending: "json",
    text: () => withPath("/x", { get: {} }, { servers: [{ url: "/v1" }] }),
    fact: /The server "\/v1" is relative\. Set baseUrl/,
  },
  {
    what: "a server without a value for its variable",
    ending: "json",
    text: () => withPath("/x", { get: {} }, { servers: [{ url: "https://{region}.example.com" }] }),
    fact: /no value for "region"\. Set baseUrl/,
  },
  {
    what: "__proto__ as every name",
    ending: "json",
    text: () =>
      withPath("/x", {}).replace(
        '"/x":{}',
        '"/__proto__":{"get":{"operationId":"__proto__","tags":["__proto__"],"parameters":[{"name":"__proto__","in":"query"}],"security":[{"__proto__":[]}]}}',
      ),
    fact: /security scheme "__proto__" is not described/,
  },
];
