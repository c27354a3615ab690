import { cueTables } from "../words/compile.ts";
import type { Cue } from "../words/cues.ts";

/** The names that `cuesOfSpecial` tells apart. */
interface Names {
  readonly own: string;
  readonly parameters: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
}

/** What a piece of text is that is no plain word: an address, a file, a variable, the name of a tool. Undefined: words with punctuation between. */
export function cuesOfSpecial(raw: string, isQuoted: boolean, names: Names): readonly Cue[] | undefined {
  const lower = raw.toLowerCase();
  // The target of a link in Markdown is where to read more; images and odd links have a rule of their own.
  if (lower.includes("](")) return undefined;
  if (isAddress(lower)) return ["place"];
  if (raw === names.own) return ["own"];
  if (isQuoted && names.parameters.has(raw)) return ["sink"];
  if (isSecretFile(lower)) return ["secret-place"];
  if (isSecretVariable(raw)) return ["secret", "secret-place"];
  if (hasCues(lower)) return [];
  if (names.others.has(raw)) return ["name"];
  if (names.parameters.has(raw) && raw.includes("_")) return ["sink"];
  if (lower.startsWith("~/") || lower.startsWith("/home/") || lower.startsWith("$home/")) return ["data"];
  if (isIdentifier(raw) && !names.parameters.has(raw)) return isToolName(raw) ? ["name"] : [];
  return lower.startsWith("/") ? [] : undefined;
}

function hasCues(word: string): boolean {
  const node = cueTables().phrases.get(word);
  return node !== undefined && (node.cues.length > 0 || node.next !== undefined);
}

/** "https://…", "a@b.example", "203.0.113.7:8080", "api.host.example/path" */
function isAddress(lower: string): boolean {
  if (lower.includes("://")) return true;
  if (!lower.includes(".")) return false;
  const at = lower.indexOf("@");
  if (at > 0 && lower.indexOf(".", at) > at + 1) return true;
  const [host = ""] = lower.split(/[/:?]/, 1);
  const labels = host.split(".");
  if (labels.length === 4 && labels.every((label) => /^\d{1,3}$/.test(label))) return true;
  if (labels.length < 2 || !labels.every((label) => /^[a-z0-9-]+$/.test(label)) || !/^[a-z]{2,}$/.test(labels.at(-1)!)) return false;
  return (
    lower.length > host.length + 1 &&
    labels.length >= 2 &&
    /[/:]/.test(lower) &&
    !/^[a-z]+\.(?:md|js|ts|py|json|txt|html|css|yml|yaml)/.test(host)
  );
}

/** Parts of paths below which programs keep what opens doors. */
const secretParts = [
  "/.ssh",
  ".ssh/",
  ".aws/",
  ".kube",
  ".gnupg",
  ".netrc",
  ".npmrc",
  ".pypirc",
  ".pgpass",
  ".docker/config",
  ".git-credentials",
  "id_rsa",
  "id_ed25519",
  "id_ecdsa",
  "/etc/shadow",
  "/etc/passwd",
  ".bash_history",
  ".zsh_history",
  ".azure",
  "gcloud",
  "key4.db",
  "logins.json",
  "wallet.dat",
  "/proc/self/environ",
  ".my.cnf",
  "mcp.json",
  ".keystore",
  ".jks",
  ".kdbx",
  "credentials.json",
  ".config/",
  "keychain",
  ".git/config",
  ".htpasswd",
  "terraform.tfstate",
  ".vault-token",
  "secrets.y",
  "secrets.json",
  ".pem",
  ".p12",
  ".pfx",
  ".ppk",
];

function isSecretFile(lower: string): boolean {
  if (!lower.includes(".") && !lower.includes("/") && !lower.includes("_")) return false;
  if (/(?:^|\/)\.env(?:$|\.(?!example|sample|template|dist)|[^\w.])/.test(lower)) return true;
  if (lower.startsWith("~/.") || lower.startsWith("$home/.")) return true;
  if (/^\/(?:home|users)\/[^/]*\/\./.test(lower) || lower.startsWith("/root/")) return true;
  return !lower.includes("://") && secretParts.some((part) => lower.includes(part));
}

/** OPENAI_API_KEY, DATABASE_URL, AWS_SECRET_ACCESS_KEY */
function isSecretVariable(raw: string): boolean {
  return (
    /^[A-Z][A-Z0-9]*_[A-Z0-9_]*$/.test(raw) && /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|CREDENTIALS?|DATABASE_URL|DSN|AUTH)$/.test(raw)
  );
}

const toolVerbs = new Set(
  "get list read write create delete update send search execute run query fetch post push pull remove add open close upload download transfer pay book call check find make move copy edit insert sync mail browse exec eval invoke deploy merge commit grant install buy sell drop wipe share invite publish lookup ask tool".split(
    " ",
  ),
);

/** One of its first or last words is a verb that tools are named with. */
function isToolName(raw: string): boolean {
  const parts = raw
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[_-]/);
  return toolVerbs.has(parts[0]!) || toolVerbs.has(parts.at(-1)!);
}

/** "send_email", "list-mail-folders", "createIssue" */
function isIdentifier(raw: string): boolean {
  if (/^[a-z0-9]+(?:_[a-z0-9]+)+$/i.test(raw) && /[a-z]/.test(raw)) return true;
  return /^[a-z]+(?:-[a-z0-9]+){2,}$/.test(raw) || /^[a-z]+(?:[A-Z][a-z0-9]+)+$/.test(raw);
}
