/** Every way to write a text that holds a secret: what hides secrets has to hide each, wherever the secret begins. */
export const secretForms: Readonly<Record<string, (secret: string) => string>> = {
  "as it is": (secret) => `key ${secret}.`,
  "JSON-escaped": (secret) => JSON.stringify({ text: `say "${secret}"\n` }),
  "URL-encoded": (secret) => encodeURIComponent(`k=${secret}&`),
  "a form": (secret) => new URLSearchParams({ q: secret }).toString(),
  base64: (secret) => toBase64(secret),
  "base64, moved by one byte": (secret) => toBase64(`:${secret}`),
  "base64, moved by two bytes": (secret) => toBase64(`a:${secret}:b`),
  base64url: (secret) => Buffer.from(`user:${secret}`).toString("base64url"),
  hex: (secret) => Buffer.from(secret).toString("hex"),
  "hex in capitals": (secret) => Buffer.from(secret).toString("hex").toUpperCase(),
};

/** The shortest secret that is hidden, and a longer one with characters that the encodings change. */
export const secretsToHide: readonly string[] = ["s3c!", 'pä ss/+"word\\?-0123456789'];

function toBase64(text: string): string {
  return Buffer.from(text).toString("base64");
}
