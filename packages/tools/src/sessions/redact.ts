import { createFieldCheck, createRedactor, redactedMark } from "@toolrack/core/internal";

/** Removes secrets from a text. */
export type Redact = (text: string) => string;

/** What is removed without being known: values of fields whose names say what they are, and texts in the form of keys and tokens. */
export const redactSecretForms: Redact = (text) => {
  let shown = fields.text(text);
  for (const form of forms)
    shown = shown.replace(form, (_, before: unknown) => `${typeof before === "string" ? before : ""}${redactedMark}`);
  return shown;
};

const fields = createRedactor({
  isHidden: createFieldCheck(
    `password passwd passphrase secret clientSecret apiKey accessKey secretKey secretAccessKey privateKey token accessToken refreshToken
     idToken sessionToken authToken bearerToken authorization proxyAuthorization cookie setCookie credential credentials signature thoughtSignature xApiKey encryptedContent`.split(
      /\s+/,
    ),
  ),
  searchesJsonText: true,
});

/** Each costs one pass. A group at the beginning is kept: it says what was there. */
const forms: readonly RegExp[] = [
  // Private keys, also those whose end was cut off.
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----))*(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/g,
  /\b((?:Bearer|Basic|Bot|Token) )(?=[\w.~+/=-]*\d)[\w.~+/=-]{16,}/gi,
  /\b((?:(?:proxy-)?authorization|(?:set-)?cookie|x-api-key)\s{0,3}[:=]\s{0,3})[^\r\n]+/gi,
  /([?&](?:access_token|refresh_token|id_token|token|api_?key|key|sig|signature|x-amz-signature|x-goog-signature|password|secret|code)=)[^&#\s"'<>]+/gi,
  // user:password@host
  /(\b[a-z][\w+.-]{1,20}:\/\/[^\s/:@"'<>]{0,100}:)[^\s/@"'<>]+(?=@)/gi,
  // PASSWORD=…, api_key: …
  /(\b[\w-]{0,40}(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|private[_-]?key|token|signature)["']?\s{0,3}[=:]\s{0,3})(?!\[redacted\]|"\[redacted\])["']?[^\s"',;{}[\]]{4,}["']?/gi,
  // Keys and tokens in the form of their vendors, and JSON Web Tokens.
  /\b(?:sk|pk|rk)[-_][\w-]{12,}|\b(?:ghp|gho|ghu|ghs|ghr|github_pat|glpat|npm|trk|whsec|xox[abeoprs]|hf|dop_v1)[-_][\w-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\bAIza[\w-]{20,}|\bya29\.[\w.-]{20,}|\b\d{6,12}:AA[\w-]{30,}/g,
  /\beyJ[\w-]{6,}\.[\w-]{4,}(?:\.[\w-]{4,}){0,3}/g,
];
