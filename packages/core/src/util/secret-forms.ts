import { toBase64, toHex } from "#bytes";

/** A shorter secret is not searched for: it could not be distinguished from ordinary text. */
export const shortestSecret = 4;

/**
 * Every text in which a secret can be recognised: as it is, JSON-escaped, URL-encoded, in base64 and base64url wherever it begins in what was
 * encoded, and in hex. Each has at least `shortestSecret` characters.
 */
export function secretForms(secrets: Iterable<string>): ReadonlySet<string> {
  const forms = new Set<string>();
  for (const secret of withLines(secrets)) {
    if (secret.length < shortestSecret) continue;
    forms.add(secret).add(JSON.stringify(secret).slice(1, -1));
    const bytes = new TextEncoder().encode(secret); // half a surrogate pair cannot be in a URL, and becomes a replacement character
    for (const form of urlForms(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes))) forms.add(form);
    for (const form of base64Forms(bytes)) forms.add(form).add(form.replaceAll("+", "-").replaceAll("/", "_"));
    const hex = toHex(bytes);
    forms.add(hex).add(hex.toUpperCase());
  }
  return forms;
}

/** A key of several lines is often shown without their ends, or in part. */
function* withLines(secrets: Iterable<string>): Iterable<string> {
  for (const secret of secrets) {
    yield secret;
    if (!secret.includes("\n")) continue;
    for (const line of secret.split(/\r?\n/)) if (line.length >= shortestLine && !line.startsWith("-----")) yield line;
  }
}

/** A shorter line says too little, and may be a usual word. */
const shortestLine = 16;

/** Encoders differ in the case of the digits, in a space as "+", and in whether they encode !'()*. */
function urlForms(text: string): readonly string[] {
  const usual = encodeURIComponent(text);
  const strict = usual.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  const inForms = new URLSearchParams([["", text]]).toString().slice(1);
  const forms = [inForms, ...[usual, strict].flatMap((form) => [form, form.replaceAll("%20", "+")])];
  return [...forms, ...forms.map((form) => form.replace(/%../g, (code) => code.toLowerCase()))];
}

/**
 * Three bytes are four characters, so what precedes a secret shifts it by none, one or two bytes. The characters at its edges also hold
 * bits of what is beside it, and are left out.
 */
function base64Forms(bytes: Uint8Array): readonly string[] {
  return [0, 1, 2].map((before) => {
    const moved = new Uint8Array(before + bytes.length);
    moved.set(bytes, before);
    const text = toBase64(moved).replace(/=+$/, "");
    const isWhole = (before + bytes.length) % 3 === 0;
    return text.slice(Math.ceil((before * 8) / 6), isWhole ? undefined : -1);
  });
}
