import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createHttp } from "../../src/index.ts";
import type { Channel } from "../../src/messages/channels/channel.ts";
import { createDiscordChannel } from "../../src/messages/channels/discord.ts";
import { createEmailChannel } from "../../src/messages/channels/email.ts";
import { createSlackChannel } from "../../src/messages/channels/slack.ts";
import { createTelegramChannel } from "../../src/messages/channels/telegram.ts";
import { createWebhookChannel } from "../../src/messages/channels/webhook.ts";
import { channelContract } from "./channel-contract.ts";
import { type StandIn, startStandIn, token } from "./stand-ins.ts";

let standIn: StandIn;
let mail: SMTPServer;
const mails: { readonly from: string; readonly to: readonly string[]; readonly raw: string }[] = [];
let mailMood: "refuse" | "lose" | undefined;

beforeAll(async () => {
  standIn = await startStandIn();
  mail = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: (auth, _, done) => (auth.password === token ? done(null, { user: auth.username }) : done(new Error("Invalid login"))),
    onRcptTo: (_, __, done) => done(mailMood === "refuse" ? Object.assign(new Error("No such user"), { responseCode: 550 }) : null),
    onData(stream, session, done) {
      void textOf(stream).then((raw) => {
        if (mailMood === "lose")
          return mail.connections.forEach((one) => (one as unknown as { _socket: { destroy(): void } })._socket.destroy());
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({ from: (mailFrom as { address: string }).address, to: rcptTo.map(({ address }) => address), raw });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => mail.listen(0, "127.0.0.1", resolve));
});
beforeEach(() => {
  standIn.moods.length = standIn.told.length = standIn.seen.length = mails.length = 0;
  mailMood = undefined;
});
afterAll(async () => {
  await standIn[Symbol.asyncDispose]();
  await new Promise<void>((resolve) => mail.close(() => resolve()));
});

const http = createHttp({ timeoutMs: 5_000 });
const openers: Readonly<Record<string, readonly [target: string, open: () => Channel]>> = {
  slack: ["C024BE91L", () => createSlackChannel({ url: standIn.url, http }, token)],
  telegram: ["-100123", () => createTelegramChannel({ url: standIn.url, http }, token)],
  discord: ["81384788765712384", () => createDiscordChannel({ url: standIn.url, http }, token)],
  webhook: ["ops", () => createWebhookChannel({ url: `${standIn.url}/hook`, http }, token)],
};
for (const [name, [target, open]] of Object.entries(openers))
  channelContract(name, target, () => ({
    channel: open(),
    secret: token,
    told: () => standIn.told.map((one) => ({ target: one.target, text: one.text })),
    mood: (mood) => void standIn.moods.push(mood === "lose" ? "drop" : "refuse"),
  }));

const openMail = (): Channel =>
  createEmailChannel(
    { host: "127.0.0.1", port: (mail.server.address() as AddressInfo).port, username: "bot", from: "bot@toolrack.example" },
    token,
  );
channelContract("email", "ann@example.com", () => ({
  channel: openMail(),
  secret: token,
  told: () => mails.map(({ to, raw }) => ({ target: to.join(), text: raw.split("\r\n\r\n")[1]!.trim().replaceAll("\r\n", "\n") })),
  mood: (mood) => void (mailMood = mood),
}));

describe("the channels of services", () => {
  const signal = new AbortController().signal;
  const send = (name: string, message = "Hello") =>
    openers[name]![1]().send({ target: openers[name]![0], text: message, key: "k", signal });

  it.each(Object.keys(openers))("%s: waits as long as it is asked to, and sends once", async (name) => {
    standIn.moods.push("rate-limited", "rate-limited");
    await send(name);
    expect(standIn.told).toHaveLength(1);
    expect(standIn.seen).toHaveLength(3);
  });

  it.each(Object.keys(openers))("%s: gives up after some waits, says that nothing was sent, and when to try again", async (name) => {
    standIn.moods.push(...Array.from({ length: 4 }, () => "rate-limited" as const));
    await expect(send(name)).rejects.toMatchObject({ code: "RATE_LIMITED", retryable: true, retryAfterMs: 0 });
    expect(standIn.told).toEqual([]);
  });

  it.each(Object.keys(openers))("%s: follows no redirect, knows a wrong token, and does not repeat what failed", async (name) => {
    standIn.moods.push("redirect");
    await expect(send(name)).rejects.toMatchObject({ code: "TOOL_FAILED", message: expect.stringContaining("redirect") });
    standIn.moods.push("refuse-token");
    await expect(send(name)).rejects.toMatchObject({ code: "NEEDS_CONFIGURATION", message: expect.not.stringContaining(token) });
    standIn.seen.length = 0;
    standIn.moods.push("fail");
    await expect(send(name)).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
    expect(standIn.seen).toHaveLength(1);
  });

  it("say that nothing was sent where nobody listens", async () => {
    const nobody = createSlackChannel({ url: "http://127.0.0.1:9", http }, token);
    await expect(nobody.send({ target: "C1", text: "x", key: "k", signal })).rejects.toMatchObject({
      code: "TOOL_FAILED",
      retryable: true,
    });
  });

  it("end a request with the call, and then nobody knows", async () => {
    const controller = new AbortController();
    standIn.moods.push("hang");
    const sending = openers["slack"]![1]().send({ target: "C1", text: "x", key: "k", signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(sending).rejects.toBeInstanceOf(Error);
  });

  it("AH18: a call to everybody is only text", async () => {
    await send("slack", "<!channel> & <@U1> @everyone");
    await send("discord", "@everyone");
    await send("telegram", "<b>@all</b>");
    const [slack, discord, telegram] = standIn.seen.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    expect(slack).toMatchObject({ text: "&lt;!channel&gt; &amp; &lt;@U1&gt; @everyone" });
    expect(slack).not.toHaveProperty("link_names");
    expect(discord).toMatchObject({ content: "@everyone", allowed_mentions: { parse: [] } });
    expect(telegram).toEqual({ chat_id: "-100123", text: "<b>@all</b>" });
  });
});

describe("e-mail", () => {
  const signal = new AbortController().signal;

  it("has one recipient and the subject that was given, and knows each attempt as the same message", async () => {
    const message = { target: "ann@example.com", text: "Tea", subject: "Five o'clock", key: "call-1", signal };
    await openMail().send(message);
    await openMail().send(message);
    const [first, second] = mails;
    expect(first!.to).toEqual(["ann@example.com"]);
    expect(first!.raw).toMatch(/^To: ann@example\.com$/m);
    expect(first!.raw).toMatch(/^Subject: Five o'clock$/m);
    expect(first!.raw).not.toMatch(/^(?:Cc|Bcc):/im);
    const idOf = ({ raw }: { readonly raw: string }) => /^Message-ID: (.*)$/m.exec(raw)?.[1];
    expect(idOf(first!)).toBe(idOf(second!));
  });

  it("AH18: line ends in a subject or an address make no header and no further recipient", async () => {
    const evil = { text: "Tea", key: "k", signal, target: "ann@example.com", subject: "Hi\r\nBcc: eve@example.com" };
    await openMail().send(evil);
    expect(mails[0]!.to).toEqual(["ann@example.com"]);
    expect(mails[0]!.raw).not.toMatch(/^Bcc:/m);
    mails.length = 0;
    await openMail()
      .send({ ...evil, subject: "Hi", target: "ann@example.com\r\nRCPT TO:<eve@example.com>" })
      .catch(() => {});
    expect(mails.flatMap(({ to }) => to)).not.toContain("eve@example.com");
  });

  it("says that nothing was sent where nobody listens", async () => {
    const nobody = createEmailChannel({ host: "127.0.0.1", port: 9, from: "bot@toolrack.example" }, undefined);
    await expect(nobody.send({ target: "a@b.example", text: "x", key: "k", signal })).rejects.toMatchObject({
      code: "TOOL_FAILED",
      message: expect.stringContaining("Nothing was sent"),
    });
  });

  it("sends no password over an open network: a server of another machine has to offer encryption", async () => {
    // An address of this machine that is not its loopback name.
    const server = { host: "0.0.0.0", port: (mail.server.address() as AddressInfo).port, username: "bot", from: "bot@toolrack.example" };
    await expect(createEmailChannel(server, token).send({ target: "a@b.example", text: "x", key: "k", signal })).rejects.toMatchObject({
      code: "NEEDS_CONFIGURATION",
      message: expect.stringContaining("offers no encryption"),
    });
    expect(mails).toEqual([]);
  });

  it("says that the sign-in was refused, without the password", async () => {
    const wrong = createEmailChannel(
      { host: "127.0.0.1", port: (mail.server.address() as AddressInfo).port, username: "bot", from: "bot@toolrack.example" },
      "wrong-password",
    );
    await expect(wrong.send({ target: "a@b.example", text: "x", key: "k", signal })).rejects.toMatchObject({
      code: "NEEDS_CONFIGURATION",
      message: expect.not.stringContaining("wrong-password"),
    });
  });
});
