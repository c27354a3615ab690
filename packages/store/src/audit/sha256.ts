import crypto from "node:crypto";

/** As hexadecimal digits. In one step where Node has that, which takes half the time for a short text. */
export const sha256: (text: string) => string =
  typeof crypto.hash === "function"
    ? (text) => crypto.hash("sha256", text)
    : (text) => crypto.createHash("sha256").update(text).digest("hex");
