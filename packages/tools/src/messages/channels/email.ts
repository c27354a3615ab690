import { createHash } from "node:crypto";
import { ToolError } from "@toolrack/core";
import { isLoopbackHost, onAbort } from "@toolrack/core/internal";
import { outcomeUnknown } from "./_vendor.ts";
import type { Channel } from "./channel.ts";

/** A mail server that takes messages. */
export interface MailServer {
  readonly host: string;
  /** @default 465 with `secure`, else 587 */
  readonly port?: number;
  /** TLS from the first byte; else the connection is upgraded by STARTTLS. @default false */
  readonly secure?: boolean;
  readonly username?: string;
  /** The address that messages come from. */
  readonly from: string;
}

/** E-mail, by SMTP: to one address at a time, as plain text, with files. */
export function createEmailChannel(server: MailServer, password: string | undefined): Channel {
  const { host, secure = false, username, from } = server;
  return {
    id: "email",
    maxChars: 100_000,
    maxAttachments: 10,
    async send({ target, text, subject, replyTo, attachments = [], key, signal }) {
      signal.throwIfAborted();
      const { createTransport } = await import("nodemailer");
      const transport = createTransport({
        host,
        port: server.port ?? (secure ? 465 : 587),
        secure,
        // A password goes over no open network.
        requireTLS: !secure && username !== undefined && !isLoopbackHost(host),
        ...(username !== undefined && { auth: { user: username, pass: password ?? "" } }),
        disableFileAccess: true,
        disableUrlAccess: true,
        connectionTimeout: 10_000,
        greetingTimeout: 10_000,
        socketTimeout: 20_000,
      });
      const stop = onAbort(signal, () => transport.close());
      try {
        // The same for every attempt, so that mail servers and readers can tell them as one.
        const id = `<${createHash("sha256").update(key).digest("hex").slice(0, 32)}@${from.split("@").at(-1)}>`;
        const sent = await transport.sendMail({
          from,
          to: { name: "", address: target },
          subject: subject ?? text.split("\n", 1)[0]!.slice(0, 100),
          text,
          messageId: id,
          attachments: attachments.map(({ name, bytes }) => ({ filename: name, content: Buffer.from(bytes) })),
          ...(replyTo !== undefined && { inReplyTo: replyTo, references: replyTo }),
        });
        return { messageId: String(sent.messageId ?? id) };
      } catch (error) {
        throw toSendError(error as SmtpError, host);
      } finally {
        stop();
        transport.close();
      }
    },
  };
}

interface SmtpError {
  readonly code?: string;
  /** What the system was asked to do: "connect", "getaddrinfo" … */
  readonly syscall?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** Only what was refused, or never reached the server, is known not to be sent. */
function toSendError(error: SmtpError, host: string): ToolError {
  const { code = "", syscall = "", responseCode, response } = error;
  const said = response === undefined ? "" : `: ${response.replace(/\s+/g, " ").slice(0, 300)}`;
  if (code === "EAUTH" || code === "ENOAUTH")
    return new ToolError("NEEDS_CONFIGURATION", `The mail server ${host} refused the sign-in. Check the user name and the secret.`);
  if (code === "ETLS" || code === "EREQUIRETLS")
    return new ToolError(
      "NEEDS_CONFIGURATION",
      `The mail server ${host} offers no encryption, or one that cannot be trusted. Nothing was sent.`,
    );
  if (responseCode !== undefined && responseCode >= 400)
    return new ToolError("TOOL_FAILED", `The mail server ${host} refused the message${said}. Nothing was sent.`, {
      retryable: responseCode < 500,
    });
  if (code === "EENVELOPE") return new ToolError("TOOL_FAILED", `The mail server ${host} refused the address${said}. Nothing was sent.`);
  if (syscall === "connect" || syscall === "getaddrinfo" || code === "EDNS")
    return new ToolError("TOOL_FAILED", `The mail server ${host} cannot be reached. Nothing was sent.`, { retryable: true });
  return outcomeUnknown(`The mail server ${host}`, error);
}
