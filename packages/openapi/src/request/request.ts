/** A request, ready to be sent. */
export interface OpenApiRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: undefined | string | Uint8Array | MultipartBody;
}

/** A body in parts: its boundary is chosen when it is sent. */
export interface MultipartBody {
  readonly parts: readonly MultipartPart[];
}

export interface MultipartPart {
  readonly name: string;
  readonly value: string | Uint8Array;
  readonly filename?: string;
  readonly contentType?: string;
}

export interface BuildRequestOptions {
  /** Replaces the server wholly. */
  readonly baseUrl?: string;
  /** Name of a secret → its value. The first way to sign in whose secrets are all there is used. */
  readonly secrets?: Readonly<Record<string, string>>;
}
