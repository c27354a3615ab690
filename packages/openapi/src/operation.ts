import type { JsonObject } from "@toolrack/json-schema/internal";

export type ParameterPlace = "path" | "query" | "querystring" | "header" | "cookie";

export type ParameterStyle =
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "tabDelimited"
  | "deepObject"
  | "simple"
  | "label"
  | "matrix"
  | "cookie";

/** How one value is written. */
export interface ValueStyle {
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  /** How lists inside of the list are joined, level by level: Swagger 2 says it for each of them. */
  readonly inner?: readonly ParameterStyle[];
}

/** One parameter of an operation: where its value comes from, and where it goes. */
export interface ParameterPlan extends ValueStyle {
  /** The name in the input; undefined for a pinned one. */
  readonly property: string | undefined;
  readonly in: ParameterPlace;
  /** The name on the wire. */
  readonly name: string;
  readonly required: boolean;
  /** Media type of a parameter with `content`: its value is written as that, not by a style. */
  readonly contentType?: string;
  readonly pinned?: unknown;
}

export type BodyKind = "json" | "form" | "multipart" | "text" | "bytes";

/** How a member of a form is written, where that does not follow from its value alone. */
export interface FormField {
  /** Base64 in the input, bytes in the part. */
  readonly isFile: boolean;
  readonly contentType?: string;
  readonly style?: ValueStyle;
}

/** A member of a body whose properties stand in the input themselves. */
export interface BodyMember {
  readonly property: string | undefined;
  readonly name: string;
  readonly pinned?: unknown;
}

export interface BodyPlan {
  readonly kind: BodyKind;
  readonly contentType: string;
  readonly required: boolean;
  /** The property that holds the whole body; undefined if its members are spread. */
  readonly property?: string;
  readonly spread?: readonly BodyMember[];
  /** Members that are never sent. */
  readonly hidden: readonly string[];
  /** Members with a fixed value, of a body that is one property. */
  readonly pinned?: readonly BodyMember[];
  readonly fields: ReadonlyMap<string, FormField>;
}

/** What one scheme of a requirement adds to a request. */
export interface Credential {
  readonly scheme: string;
  /** The name of the secret with its value. */
  readonly secret: string;
  readonly kind: "basic" | "bearer" | "apiKey";
  readonly in: "header" | "query" | "cookie";
  readonly name: string;
}

/** Ways to sign in, in the order of the document; an empty one needs no credentials. */
export type SecurityPlan = readonly (readonly Credential[])[];

/** Everything that is needed to make a request of an input. */
export interface OperationPlan {
  /** "GET /pets/{id}" as the document has it. */
  readonly operation: string;
  readonly method: string;
  /** The path without its query and fragment; text, or the index of a parameter. */
  readonly path: readonly (string | number)[];
  /** What the path has behind its "?", in the same form. */
  readonly query: readonly (string | number)[];
  /** Absolute, without a slash at its end; undefined if the document does not tell it. */
  readonly server: string | undefined;
  readonly parameters: readonly ParameterPlan[];
  /** Parameters that are never sent: nothing else may be sent by their names. */
  readonly hidden: readonly Pick<ParameterPlan, "in" | "name">[];
  readonly body?: BodyPlan;
  readonly security: SecurityPlan;
  /** The media types of the answer, best first. */
  readonly accept: readonly string[];
}

/** What a tool says about the operation that it calls. */
export interface OpenApiToolDescription {
  readonly operationId?: string;
  readonly method: string;
  readonly path: string;
  /** Each property of the input that is a parameter, and each member of a spread body that has another name in the input. */
  readonly parameters: readonly { readonly property: string; readonly in: ParameterPlace | "body"; readonly name: string }[];
  readonly body?: { readonly contentType: string; readonly required: boolean } & (
    | { readonly property: string }
    | { readonly spread: true }
  );
  /** As in the document: an OR of ANDs, scheme → scopes. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly deprecated: boolean;
  /** The whole description, also where that of the tool is shortened. */
  readonly description: string;
  readonly tags: readonly string[];
  /** Where requests go, unless `baseUrl` says otherwise; absent if the document does not tell it. */
  readonly server?: string;
}

/** The input schema of an operation and its plan, before it becomes a tool. */
export interface ReadOperation {
  readonly plan: OperationPlan;
  readonly description: OpenApiToolDescription;
  readonly summary: string | undefined;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | undefined;
  readonly links: readonly OperationLink[];
  /** How many values both schemas have. */
  readonly values: number;
}

/** An operation that takes a part of this one's answer. */
export interface OperationLink {
  readonly operationId?: string;
  /** "GET /pets/{id}", if the link names it by its place. */
  readonly operation?: string;
  /** The parameter, and where its value is: "$response.body#/id". */
  readonly parameters: readonly (readonly [string, string])[];
}
