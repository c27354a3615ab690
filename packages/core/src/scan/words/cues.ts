/**
 * What a word or phrase can be a sign of. No cue is bad in itself: rules look for cues that stand together, such as a place of secrets, a verb
 * that moves it and an argument that takes it.
 */
export const cues = [
  // who
  "model", // the assistant, the agent, an LLM
  "you", // you, your, yourself
  "user", // the person, the human
  "rank", // administrators, security teams, the platform
  // what
  "secret", // tokens, passwords, keys
  "secret-place", // where they lie: key files, the environment, the keychain
  "talk", // the conversation, the system prompt, the reasoning
  "talk-word", // messages, turns, context: only with others a conversation
  "data", // results, files, arguments, documents
  "contents",
  "entire", // word for word, complete, unabridged
  // moves
  "move", // send, copy, append
  "put", // put, add, include: a move only with a place to move to
  "read", // read, open, collect
  "reveal", // list, print, answer with
  "sink", // this argument, the request, here
  "place", // an address: URL, e-mail address, host
  "service", // Telegram, a webhook, a bot
  // secrecy
  "not",
  "tell", // tell, mention, show, inform
  "learn", // see, know, hear, notice
  "hide", // hide, omit, leave out
  "secretly", // quietly, silently
  "keep",
  "secret-state", // secret, hidden, between us
  "report", // summary, reply, answer, log
  "asked", // if asked, when somebody asks
  "say", // say, answer, claim, pretend
  "fine", // nothing unusual, harmless, safe
  // orders
  "oblige", // must, shall, has to
  "override", // ignore, forget, disregard
  "void", // expired, lifted, no longer apply
  "rule", // instructions, guidelines, restrictions
  "prior", // previous, earlier, above, your, all
  "task", // assignment, task, request
  "new", // new, real, actual
  "obey", // follow, carry out, act on
  "output", // what it returns, the result, the answer
  "precedence", // takes precedence over, outranks
  // consent
  "ask", // ask, confirm, check back, wait
  "consent", // permission, approval, confirmation
  "granted", // granted, in advance, already, not needed
  "without",
  "proceed", // go ahead, proceed
  // other tools
  "tool", // tool, function, server
  "other", // other, another, else, built-in
  "name", // the name of a tool that is not this one
  "own", // the name of this tool
  "change", // change, replace, redirect
  "bad", // unsafe, withdrawn, broken
  "only", // the only, exclusively
  "prefer", // instead, prefer, turn to
  // when
  "first", // first, before, until
  "every", // every, always, whatever, regardless
  "when", // whenever, if, once, after
  "later", // future sessions, from now on
  // deeds
  "run", // run, execute, launch
  "install", // install, load, bring in
  "software", // package, extension, image
  "shell", // terminal, curl, bash, crontab
  "destroy", // delete, wipe, drop
  "remember", // remember, memorise, note
  "memory", // long-term memory, rule files
  "guard", // scanners, filters, monitors, logs
  "disable", // disable, switch off, skip
  "right", // permission limits, access checks, policy
  // manner
  "urgent", // urgent, immediately
  "compliance", // GDPR, pursuant to, mandated
  "polite", // it would be helpful
  "error", // error, failed, expired
  "again", // retry, repeat
  "decode", // decode, decipher
  "mention", // detects, sample, attack: talks about attacks
  "example", // for example, such as
  "alone", // by itself, on its own, automatically
] as const;

export type Cue = (typeof cues)[number];

export const cueNumbers: ReadonlyMap<Cue, number> = new Map(cues.map((cue, index) => [cue, index]));
