import type { KnownServer } from "@toolrack/server/known-servers";
import { sendByFetch } from "./send-by-fetch.ts";
import type { Send } from "./send.ts";

export const unix = "unix:";

/** To a server at an address as `readUrl` writes it. */
export async function sendTo(address: string, key: string | undefined, known: KnownServer | undefined): Promise<Send> {
  const isSocket = address.startsWith(unix);
  if (!isSocket && known?.certificateFile === undefined) return sendByFetch(address, key);
  const { sendOverSocket, sendWithCertificate } = await import("./send-by-node.ts");
  return isSocket ? sendOverSocket(address.slice(unix.length), key) : sendWithCertificate(address, known!.certificateFile!, key);
}
