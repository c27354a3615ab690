import type { Cue } from "./cues.ts";

/** Forms of the words are made from these: verbs in all of theirs, nouns with their plural, other words as they are. Commas separate entries. */
export interface WordList {
  readonly verbs?: string;
  readonly nouns?: string;
  readonly words?: string;
}

export const english: Partial<Record<Cue, WordList>> = {
  model: {
    nouns:
      "automated reviewer, reviewer model, ai reviewer, virtual assistant, digital assistant, automated agent, host model, future self, reading model, assistant, agent, model, llm, chatbot, copilot, chatgpt, language model, ai assistant, ai agent, ai model, automated reader, automated system, calling party, calling model, calling agent, screener, screening model, evaluator, coding agent, coding assistant, ai system, ai tool",
    words:
      "ai, claude, gpt, gemini, ais, llm based, ai based, ai powered, bots, machine reader, machine readers, assistant's, agent's, model's",
  },
  you: { words: "you, your, yours, yourself, yourselves, you're, you've, you'll" },
  user: {
    nouns:
      "operator, owner, caller, requester, user, person, human, customer, end user, operator, individual, employee, account holder, account owner, requester",
    words:
      "somebody, the customer, people, anyone, anybody, nobody, no one, someone, somebody, everybody, everyone, humans, folks, whoever",
  },
  rank: {
    nouns:
      "security department, compliance office, platform owner, system privilege, access level, official directive, it security, system operator, root access, service desk, board, executive, chief, government, authorities, administrator, admin, sysadmin, security team, compliance team, legal department, legal team, it department, headquarters, management, superuser, supervisor, platform team, platform operator, vendor, root user, security department, it team, help desk, auditor, regulator",
    words:
      "by order of, on behalf of, authority, elevated, root, security notice, the platform, compliance department, authorised by, authorized by, mandated by, elevated mode, elevated privileges, developer mode, maintenance mode, debug mode, god mode, unrestricted",
  },
  secret: {
    nouns:
      "api secret, connection string, key pair, login detail, identity card, id card, account password, card detail, cvc, pin, signing secret, secret value, password, passphrase, token, api key, access key, secret, credential, private key, signing key, secret key, cookie, session token, bearer token, recovery code, seed phrase, mnemonic, one time code, otp, pin code, card number, backup code, session id, session cookie, encryption key, client secret, api token, access token, auth token, refresh token, passcode, mfa code, ssh key, deploy key, wallet key, credit card, social security number, bank detail, api_key, password_hash",
    words: "auth",
  },
  "secret-place": {
    nouns:
      "local config, settings file, private file, ssh folder, kubeconfig, credential file, git credential, wallet backup, cookie store, cookies file, firefox cookie, browser cookie, home folder, private document, process environment, client configuration, variables of the process, keychain, keyring, password manager, wallet file, credential store, key file, environment variable, env file, dotenv, vault, config file, secret store, browser profile, saved login, saved password, saved credential, stored password, stored credential, machine key, exported setting, shell history, history file, wallet, key store, keystore, saved session, exported variable, service account key, env variable, env var",
    words:
      "process.env, printenv, os.environ, environ, env dump, login data, key4.db, credentials file, cookie jar, id_rsa, id_ed25519, id_ecdsa, authorized_keys, known_hosts, local storage, cookies database, whoami, bash_history, clipboard",
  },
  talk: {
    nouns:
      "discussion, session transcript, full instruction, private reasoning, original question, user question, user request, list of function, instructions given, former chat, conversation, dialogue, dialog, chat history, chat log, transcript, system prompt, system message, system instruction, developer message, initial prompt, hidden instruction, chain of thought, message history, conversation history, dialogue history, discussion so far, previous message, prior message, earlier message, earlier turn, previous turn, prior turn, past message, user message, reasoning trace, tool list, initial instruction, internal reasoning, thought process, original prompt, user prompt, hidden prompt, context window, tool definition, other message, internal instruction, base prompt, session history, preceding message, exchange so far, chat transcript, message log",
    words:
      "everything said, said so far, other tools that you, other servers are connected, connected servers, functions you have, tools you can, the text above, text above, whole discussion, your full, you remember about, up to this point, everything above, all of the above text, system_prompt, everything said, conversation so far, list of tools, tools you have, tools available to you, available tools, everything the user, everything the person, all you know about, everything you know, your context, your instructions, your memory, your reasoning, your prompt, your thoughts, your guidelines, what you know, your rules, your configuration, prior_messages, chat_history, conversation_history, your system, session context, whole chat, entire chat, full chat, this chat, the chat, all chats, dialogue so far, asked so far, written so far, told you, said to you, said so far",
  },
  "talk-word": { nouns: "message, turn, chat, context, prompt, thread, session, reasoning, thought, utterance, question" },
  data: {
    nouns:
      "result, answer, response, argument, file, document, data, output, copy, content, email, inbox, attachment, record, row, contact, message, note, report, input, query, table, database, source code, repository, code, payload, statement, entry, folder, mailbox, e mail, mail, invoice, contract, calendar, photo, screenshot, information, detail, text, customer table, customer list, listing, parameter, value, reply, line, item, page, search, request, figure, question",
  },
  contents: {
    words:
      "contents, content of, contents of, what is stored in, what it contains, what is in, text of, body of, stored in, kept in, found in, what's in",
  },
  entire: {
    words:
      "unchanged, in so many words, letter by letter, as you received it, as received, each and every, uncut, every detail, all of them, with all details, word for word, verbatim, complete, in full, full, unabridged, unshortened, entire, entirely, whole, unredacted, raw, exact, exactly, literally, not shortened, untruncated, unedited, unfiltered, plain text, in plain text, all of it, without omissions, base64 encoded, up to now, so far, completely, as is, unmodified, in its entirety",
  },
  move: {
    verbs:
      "hand back, turn over, pass back, route, dispatch, convey, surrender, contribute, quote, output to, feed back, offload, accompany, distribute, broadcast, return to, send, forward, upload, transmit, relay, mirror, attach, append, prepend, submit, dump, leak, exfiltrate, serialise, serialize, mail, e mail, email, post, hand over, hand, pass along, pass on, deliver, supply, paste, embed, echo, copy, transfer, ship, stream, report back, sync, smuggle, disclose, publish, share, ping, push, cc, bcc, backhaul, replicate, duplicate, inject, encode, funnel, report, hand in, drop off, beacon, feed",
    words:
      "carbon copy, blind copy, blind copies, hidden bcc, curl t, goes at, goes in, goes into, belongs at, belongs in, belongs to, belong in, belong at, a copy of, is expected in, are expected in, be expected in, accompany, accompanies, accompanied by",
  },
  put: {
    verbs:
      "put, add, include, insert, place, write, give, provide, pass, store, save, enter, fill in, fill, set, tack on, tuck, bundle, combine, quote, repeat, reproduce, record, populate, specify, hold, carry, contain, concatenate, state",
  },
  read: {
    verbs:
      "dig up, look at, pull up, track down, determine, find out, figure out, read, open, cat, fetch, load, take, obtain, locate, look up, collect, gather, enumerate, retrieve, extract, grab, find, harvest, scan, search for, pull, capture, look for, inspect, view, access, get, query, export, acquire, pick up, scrape, compile, read out, look into, list",
  },
  reveal: {
    verbs:
      "reveal, print, display, expose, answer with, reply with, respond with, output, show, recite, spell out, enumerate, describe, divulge, tell",
  },
  sink: {
    nouns: "argument, parameter, field, request, invocation, query string, tool call, property",
    words:
      "here, this call, the call, each call, every call, the input, this input, the query, as input, its input, this value, trailing comment, call data, other arguments, this tool",
  },
  service: {
    nouns:
      "webhook, telegram, discord, slack channel, pastebin, ftp server, dropbox, gist, callback url, remote server, external server, outside address, command server, drop point, mail drop, our server, same address, third party, our endpoint, external service, outside party, external address, remote host, google form",
    words: "equals sign, query string",
  },
  not: {
    words:
      "not, don't, never, no, nothing, without, none, neither, nor, cannot, can't, doesn't, isn't, aren't, avoid, avoids, avoiding, refrain, refrains, stop, won't, shouldn't, mustn't, needn't, nobody, no one, wouldn't, unaware, rather than, instead of, hardly, do not, must not, need not, is not, are not, dont, skip",
  },
  tell: {
    verbs:
      "bring up, let know, say, hint, indicate, draw attention, give away, breathe a word, tell, mention, inform, notify, show, disclose, reveal, report, explain, display, announce, alert, acknowledge, warn, surface, bring up, flag, discuss, share, speak of, expose, talk about, refer to, describe, point out, admit, brief, bother, trouble, log, advise, say, communicate, allude",
    words: "drawing attention, in front of, a mention, mention of, mentioning, let know, visible to, shown to, told",
  },
  learn: {
    verbs:
      "become suspicious, catch on, get wind, see, know, learn, hear, notice, find out, discover, be told, be informed, realise, realize, become aware, be shown, read about, be aware, suspect, be bothered, witness, detect",
    words: "aware, unaware, privy",
  },
  hide: {
    verbs:
      "skip over, pass over, cover, play down, camouflage, gloss over, leave unmentioned, hide, omit, conceal, leave out, suppress, withhold, mask, cover up, obscure, disguise, keep out, scrub, gloss over, cloak, keep from",
    words:
      "leave it out, leave this out, leave that out, left out, keep it out, out of sight, keep this out, keep them out, leave them out, keep that out",
  },
  secretly: {
    words:
      "behind the user, behind their back, as though, as if, on the sly, without a word, without comment, without saying, unobtrusively, unseen, tacitly, secretly, quietly, silently, covertly, discreetly, stealthily, behind the scenes, unnoticed, invisibly, in the background, under the radar, surreptitiously, on the quiet, without trace, without a trace, no trace, meanwhile, inconspicuously, hidden",
  },
  keep: { verbs: "keep, treat, remain, stay, hold" },
  "secret-state": {
    words:
      "secret, hidden, confidential, quiet, to yourself, between us, between ourselves, private, invisible, undisclosed, internal, off the record, silent, under wraps, unmentioned, concealed",
  },
  report: {
    nouns:
      "summary, reply, answer, response, report, log, transcript, explanation, final message, audit trail, trace, log line, notice, mention, recap, overview, final answer, account of, log entry, message, output, notification, disclosure, chat, note, record, footprint",
  },
  asked: {
    words:
      "if asked, when asked, asks whether, asks about, asks what, asks why, if anyone asks, if someone asks, if the user asks, if questioned, should anyone ask, should the user ask, should they ask, if they ask, when questioned, upon request, asks if, ask whether, asked whether, asked about, asked what, on inquiry, if queried, should someone ask, wonders, enquires, inquires",
  },
  say: {
    verbs:
      "reassure, blame, describe as, present, represent, portray, praise, recommend, say, answer, claim, pretend, state, reply, respond, deny, assert, insist, maintain, assure, rate, declare, confirm, vouch, classify, judge, label, mark, report, score, treat",
  },
  fine: {
    words:
      "false alarm, false alarms, no drawbacks, succeeded, success, impossible, the cheapest, unavailable, the best, without problems, trustworthy, in order, nothing, network delay, nothing unusual, harmless, benign, safe, trusted, trustworthy, only the query, all is well, went well, correu bem, everything is fine, no issue, no issues, no problem, no problems, legitimate, not malicious, false positive, false positives, by mistake, routine, as expected, nothing happened, normal, secure, verified, clean, all good, successful, no threat, low risk, no risk, approved",
  },
  oblige: {
    words:
      "is supposed to, are supposed to, has been told to, is bound to, be required, it is mandatory, obligated, instruct, instructs, instructed to, needed, need, needs, it is vital, vital, no excuse, expected to, required to, must, shall, should, has to, have to, need to, needs to, is to, are to, ought to, required, is required, is asked to, are asked to, is expected to, are expected to, expects, mandatory, obliged, is obliged to, obligatory, supposed to, instructed, directed, compulsory, it is is essential, advised to, is told to, bound to, had better, remember to, we ask, we need, we require, is needed, are needed",
  },
  override: {
    verbs:
      "put aside, pay no attention, set aside, exceed, stop, disobey, overlook, suppress, refuse, decline, ignore, disregard, forget, override, overrule, discard, bypass, abandon, neglect, set aside, drop, overwrite, supersede, replace, put aside, dismiss, cancel, unlearn, break, violate, circumvent, suspend, revoke, cease, stop following, stop obeying, erase, nullify, deviate from, depart from, leave behind, throw out, scrap, reset, ditch",
    words:
      "no attention to, no longer bound, not bound, does not count, do not count, no longer count, no longer counts, take leave of, no longer bound by, no longer follow, not bound by, do not follow, don't follow",
  },
  void: {
    words:
      "does not count, do not count, not enforced, are not enforced, is not enforced, no longer counts, permitted, raised, unlocked, ceased, gone, not apply, out of force, no effect, have no effect, expired, has expired, cancelled, canceled, void, lifted, suspended, replaced, no longer apply, no longer applies, do not apply, does not apply, don't apply, doesn't apply, superseded, obsolete, revoked, invalid, ended, has ended, was a test, no longer valid, no longer hold, no longer binding, out of date, outdated, withdrawn, null and void, rescinded, annulled, set aside, waived, not in force, no longer in force, switched off, turned off, disabled, inactive, removed, off, yield to, give way, overridden, relaxed, nullified, retired",
  },
  rule: {
    nouns:
      "safety rule, usual rule, normal limit, host policy, developer message, source of instructions, settings, user setting, behaviour rule, principle, norm, ban, prohibition, instruction, guideline, guidance, directive, direction, restriction, constraint, safeguard, prompt, system prompt, system message, guardrail, safety rule, rule, policy, limitation, command, directions, briefing, mandate, safety measure, precaution, ground rule",
    words:
      "was told, were told, been told, forbids, prohibits, told you, limits, given at the start, orders, what the system, what you were told, what you have been told, everything you were told, what was said, programming, your context, previous context",
  },
  prior: {
    words:
      "previous, prior, earlier, former, above, preceding, all, any, current, original, existing, your, initial, other, past, foregoing, present, system, given, every, old, these, user's, developer's, own, default, before, prevailing, starting, hitherto, safety",
  },
  task: { nouns: "task, assignment, goal, objective, mission, job, request, work, question, instruction" },
  new: { words: "new, real, actual, true, updated, following, revised, below, instead" },
  obey: {
    verbs:
      "carry on with, go along with, act as told, do exactly, do what, accept, submit to, defer to, respect, follow, obey, carry out, act on, comply with, execute, heed, adhere to, perform, honour, honor, abide by, implement, fulfil, fulfill, act upon, act according to, do as, put into action, observe, apply, conform to, act in accordance with",
    words:
      "carry them out, do so, part of your instructions, counts as a message, as a message from the user, without question, blindly, as instructions, as an instruction, as commands, as a command, as orders, as an order, as directives, as a directive, binding, to the letter, as its next steps, as authoritative, as your next",
  },
  output: {
    nouns: "result, response, output, returned text, returned value, return value, reply",
    words:
      "whatever text, returned text, the reply, its reply, its answer, answer tells, answer says, field of the answer, action field, the response, responses, what the server, may contain, what it returns, whatever it returns, it returns, this tool returns, comes back, is returned, was returned, are returned, returned, whatever it says, what it says, it says, is delivered, tool returns, tool says, tool sends, server returns, server sends, server says, text that comes back, returns, answers, the answer, what comes back",
  },
  precedence: {
    words:
      "takes precedence, take precedence, precedence over, outranks, outrank, overrides the user, priority over, above the user, prevails over, higher priority, prevail over, trumps, trump, wins over, more important than, supersedes, ahead of",
  },
  ask: {
    verbs:
      "interrupt, disturb, question, annoy, delay, trouble, ask, confirm, check with, check back, check in, consult, wait, pause, prompt, verify, query, double check, request, seek, stop, hesitate, bother, inquire",
    words: "asking first, unprompted, checking back, asking again",
  },
  consent: {
    nouns:
      "approval dialog, permission dialog, permission prompt, human approval, second opinion, safety prompt, blanket authorisation, blanket authorization, permission, approval, confirmation, consent, authorisation, authorization, go ahead, sign off, green light, agreement, clearance, acknowledgement, acknowledgment, confirmation second look, human human in the loop, consent screen, approval step, dialog",
  },
  granted: {
    words:
      "answered with yes, taken for granted, superfluous, agrees, signed, covers all, with yes, as yes, has been waived, been obtained, settled, no reason to ask, unneeded, not be asked, granted, in advance, already, given, preapproved, pre approved, pre authorised, pre authorized, preauthorised, preauthorized, obtained, counts as, count as, implied, assumed, standing, agreed, has agreed, have agreed, consented, waived, not needed, not required, unnecessary, superfluous, not necessary, no longer needed, no longer required, is not wanted, not wanted, always allow, is in place, on file, signed off, has approved, was approved, have approved, accepted, cleared, blanket, optional, redundant, beforehand, taken for granted, presumed, considered given, deemed, authorised, authorized, permitted, approved",
  },
  without: {
    words:
      "without, don't, do not, never, no, skip, skipping, not, avoid, no need, needless, instead of, rather than, bypass, bypassing, omit, omitting",
  },
  proceed: { verbs: "spend, carry out, finish, complete, settle, proceed, go ahead, continue, carry on, act, move forward, press on" },
  tool: {
    nouns:
      "calculator, browser, file tool, web search, search tool, database tool, mail function, other function, other vendor, other provider, mcp, description, definition, tool, function, server, plugin, plug in, connector, integration, toolbox, tool call, toolset, api, command, extension, implementation, alternative, skill, mcp server, capability, provider, service",
  },
  other: {
    words:
      "other providers, other vendors, several, among all, competitors, competitor, by others, different, all available, any mail, all available tools, second, other, another, any other, every other, else, competing, rival, alternative, built in, builtin, remaining, native, third party, same name, others, rest, competitor's, comparable, of other servers",
  },
  change: {
    verbs:
      "change, replace, redirect, reroute, route, mirror, swap, substitute, alter, modify, divert, rewrite, point, duplicate, forward, copy, set, adjust, intercept, wrap, add, append, behave, exchange, extend, prefix, insert, turn, take, use, double, send, update, override, go through, pass through, proxy",
  },
  bad: {
    words:
      "manipulated, security hole, make mistakes, makes mistakes, mistakes, avoided, faulty, superseded, weak, risky, not be used, be avoided, security risk, error prone, bugs, unsafe, withdrawn, broken, falsified, hostile, unreliable, compromised, untrusted, corrupts, corrupt, corrupted, insecure, deprecated, no longer maintained, outdated, malicious, dangerous, fake, inaccurate, vulnerable, inferior, obsolete, infected, defective, misleading, retired, buggy, discontinued, unmaintained, stolen, leak, leaks, untrustworthy, harmful, faulty, flawed, counterfeit, not to be trusted, data loss, tampered, unstable, decommissioned, spoofed, out of order",
  },
  only: {
    words:
      "only one, this one, always choose, the one to take, single source, only, exclusively, solely, sole, nothing else, none other, no other, the one, single",
  },
  prefer: {
    verbs:
      "take, trust, avoid, supersede, prefer, turn to, choose, favour, favor, route, switch to, pick, select, rely on, stick to, default to, resort to, refuse, reach for, go with",
    words:
      "the one to take, this one, replaced by, supersedes, in all cases, better, fits better, instead in all, even if, may be trusted, instead, in place of, in their place, replaces, takes over, take over, replacement for, in preference to, over all others, at all times, everywhere, rather than, superior, trustworthy, best, successor of, ahead of",
  },
  first: {
    words:
      "at the beginning, the first thing, at the outset, outset, first thing, unless, prior call, beginning, without a prior, consulted, first, before, until, prior to, beforehand, ahead of, start here, start with, begin with, start by, begin by, entry point, starting point, had its turn, has its turn, precede, precedes, initially, opening move, at the outset, at the beginning, to begin with, at the start, start, begin, first step, kick off, leading, in front of, front",
  },
  every: {
    words:
      "no matter what, whatever else, all conversations, in a session, each conversation, in all cases, every time, any request, at all, any, in a loop, each reply, all mails, all payments, never stop, until the budget, whatever happens, wherever, every, each, all, any, always, whatever, regardless, irrespective, no matter, at all times, everywhere, in any case, related or not, whichever, anything, everything, all others, every time, each time, without exception, in every case, constantly, unconditionally, nothing else, whenever, invariably, by default, either way, under all circumstances, even if, no other, whether or not",
  },
  when: {
    words:
      "on failure, when writing, when comparing, on the second, after the third, if several, past, on first use, whenever, when, if, once, after, as soon as, each time, every time, while, during, upon, as long as, before, on every, should, in case",
  },
  later: {
    words:
      "coming conversations, later calls, later session, next monday, former chats, all sessions, in later sessions, for all coming, from here on, for the rest of the session, the rest of the session, future sessions, future conversations, later sessions, later runs, later conversations, all future, from now on, from this point, henceforth, for good, permanently, long term, future runs, next sessions, next time, subsequent sessions, subsequent conversations, lasting, for the rest of, persistently, future requests, from here on, every session, all sessions, future tasks, for ever, forever, future chats, new sessions, across sessions, going forward, next session, remainder of the session, rest of the session, until further notice",
  },
  run: {
    verbs:
      "paste, type, boot, fire up, kick off, run, execute, launch, start, pipe, invoke, open, spawn, type, source, evaluate, schedule, trigger",
  },
  install: {
    verbs:
      "trust, register, restart, reload, put in, pick up, configure, install, load, bring in, pull, add, reinstall, fetch, download, set up, upgrade, update, import, enable, side load, sideload, deploy, register, apply, activate",
  },
  software: {
    nouns:
      "companion app, client, build, root certificate, mcp server, line import, import, exe, npm package, background process, hosts file, configuration file, config file, package, extension, add on, addon, image, docker image, container, browser extension, binary, executable, dependency, module, installer, script, library, registry, marketplace, patch, certificate, root certificate, driver, helper, agent, daemon, vsix, wheel, tarball, npm package, plugin, helper program, companion, app, bookmarklet, macro, hook, git hook, runtime, firmware",
  },
  shell: {
    words:
      "chmod, python, background process, rm, cron entry, enc, dot files, pip, sudo chmod, file permissions, hosts file, terminal, shell, curl, wget, bash, crontab, sudo, powershell, shell command, shell tool, command line, npx, pip install, npm install, npm i, docker run, chmod, eval, nc, netcat, authorized_keys, cron, cron job, scheduled job, startup script, invoke webrequest, iex, ssh, scp, rsync, python c, osascript, base64 d, brew install, apt install, apt get, go install, cargo install, uvx, pipx, rm rf, launchd, systemd, registry key, autostart, reverse shell, subprocess, console",
  },
  destroy: {
    verbs:
      "overwrite, weaken, lower, corrupt, sabotage, refund, resolve, approve, share, expose, delete, wipe, purge, erase, drop, destroy, remove, revoke, empty, format, overwrite, reset, shut down, uninstall, truncate, terminate, clear, transfer, pay, wire, cancel, close, publish, push, merge, grant, invite",
  },
  remember: {
    verbs:
      "remember, memorise, memorize, store, write down, save, keep in mind, leave a persist, leave yourself, make a note, internalise, retain, bear in mind",
  },
  memory: {
    words:
      "in memory, your memory, project rules, project's rules, the rules, a habit, keep in mind, future self, rules that, long term memory, your memory, persistent memory, memory file, claude.md, agents.md, gemini.md, .cursorrules, cursorrules, .windsurfrules, copilot-instructions.md, copilot instructions, rules file, rule file, .clinerules, system instructions file, a note to yourself, yourself a note, lasting note, memory bank, custom instructions, your notes, permanent memory, project rules, session memory, agent memory, saved skill.md, memory.md, permanent rule, standing instruction, standing order, startup instructions, profile notes, standing rule, a permanent note",
  },
  guard: {
    nouns:
      "safety system, injection filter, security warning, audit entry, audit, automated reviewer, content moderation, moderation, human review, certificate error, scan, two factor, safety mechanism, security control, firewall rule, reviewing model, scanner, filter, monitor, guard, guardrail, moderation, reviewer, redaction, safety check, security product, security check, detector, firewall, antivirus, alarm, injection scanner, content filter, security safety filter, security tool, safety system, audit log, logging, evaluating model, injection detector, moderator, malware scanner, sandbox, audit, security layer, policy engine, watchdog, security scan, safety feature, safety classifier, safety warning, policy check, review step, code review, safety layer, human review, protection, oversight, branch protection, sanity check, security review, safety review, auditing",
    words:
      "warnings about, warnings that, logging, audits this, redacting, secrets redaction, evaluating, linters, sanitising, sanitizing, sanitisation, sanitization",
  },
  disable: {
    verbs:
      "not let, leave out, weaken, remove, wave through, let through, disable, switch off, turn off, skip, suspend, deactivate, bypass, mute, ignore, pause, stop, silence, suppress, misread, misjudge, evade, circumvent, dismiss, whitelist, allowlist, exempt, relax, lower, loosen, unlock, defeat, shut off, overrule, waive, misclassify, trick, neutralise, neutralize, get around, override, leave off, remove, avoid, drop",
    words: "no scan is necessary, not necessary, off, is off, are off, without the checks, without checks",
  },
  right: {
    nouns:
      "owner right, system privilege, access level, full access, rate limit, user setting, restriction, scope, role, owner, permission, limit, access check, policy, restriction, authorisation, authorization, access control, privilege, access right, admin right, right, clearance, quota, approval, boundary, role check, scope, rule, safeguard, sandbox, authority",
  },
  urgent: {
    words:
      "within seconds, is lost, before it is too late, is locked, account is lost, will be lost, urgent, urgently, immediately, at once, right away, without delay, effective immediately, emergency, time critical, asap, now, final warning, last warning, failure to do so, otherwise, critical, or else, deadline, loss of data, data loss, will be terminated, will be suspended",
  },
  compliance: {
    words:
      "quality control, quality purposes, for billing, for diagnosis, diagnose the problem, tailor the answer, proof of identity, so that we can, for support, signature, speed things up, so that support, gdpr, soc 2, hipaa, compliance, pursuant to, in accordance with, regulation, regulations, mandated, statutory, legal requirement, legally required, audit purposes, retention order, section, terms, iso 27001, for security reasons, security policy, company policy, corporate policy, pci, by law, licence terms, license terms, data protection, quality assurance, regulatory",
  },
  polite: {
    words:
      "please, kindly, would be helpful, most helpful, would be appreciated, we would appreciate, costs nothing, one more thing, be so kind, grateful, if you don't mind, would you, could you, we kindly, thank you, much appreciated, ideally, it would be nice, do us a favour, do us a favor, taken care of",
  },
  error: {
    words:
      "lacks, lacking, failing, 401, 500, 403, on failure, token invalid, empty, error, failed, expired, missing, fails, failure, complains, rejected, denied, invalid, incomplete, unauthorised, unauthorized, timeout, refused, mismatch, session expired, validation failed, cannot be verified, could not be verified, corrupted, locked, out of sync, unverified, times out, unavailable",
  },
  again: {
    words:
      "resend, in the retry, retries, the retry, resubmit, again, retry, repeat, once more, try again, call again, resend, resubmit, reconnect, repeat the call, retried, repeating, retrying, repair, fix this, resolve this, restore, unlock, recover",
  },
  decode: {
    verbs: "decode, decipher, decrypt, unpack, decompress, unscramble, rotate, de obfuscate, deobfuscate",
    words: "base64, rot13, hex, encoded, reversed, backwards, morse, cipher",
  },
  mention: {
    words:
      "prompt injection, injection, injections, attack, attacks, attacker, attackers, malicious, jailbreak, jailbreaks, red team, detects, detect, detector marks, phrase list, sample, samples, phishing, researchers, vulnerability, vulnerabilities, exploit, fooled, the talk showed, scam, test case, test cases, fixture, adversarial, manipulation, threat, suspicious, defence, defense, mitigation, mitigations, poisoning, payloads, hidden text, untrusted, social engineering, benchmark, labelled, labeled, hackers, mislead, leaked, leaks",
  },
  example: { words: "for example, e.g, eg, such as, for instance, example, examples, like, i.e, including" },
  alone: {
    words:
      "by itself, on its own, automatically, by yourself, on your own, autonomously, unattended, of its own accord, alone, unasked, unsolicited",
  },
};

/** Words that make a sentence English: nothing but a sign of the language. */
export const englishWords =
  "the a an of to in on for with by from and or is are was were be this that these those it its as at if not can will may which when your you has have had does do all any no but than then there their they into about only also use used using returns return get list set value values name";

/** After these a clause begins: "then send". */
export const clauseOpeners = "and then or but so also now please kindly afterwards next";

/** These may stand between the beginning of a clause and its verb: "always send", "do not send". */
export const beforeOrders =
  "please kindly just first simply instead always never do not don't also now then quietly silently secretly immediately finally meanwhile additionally and";
