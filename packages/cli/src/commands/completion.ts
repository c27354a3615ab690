import { CommandError } from "../errors.ts";
import type { Command, CommandInput } from "./command.ts";

/** Shell completion needs the list of all commands, so it is passed in. */
export function completionOf(all: () => readonly Command[]): Command {
  return {
    name: "completion",
    summary: "Print a completion script for bash, zsh or fish.",
    arguments: [{ form: "<shell>", description: "bash, zsh or fish" }],
    examples: ["source <(toolrack completion bash)", "toolrack completion fish > ~/.config/fish/completions/toolrack.fish"],
    async run({ arguments: [shell], terminal }: CommandInput<[shell: string]>) {
      const write = { bash: toBash, zsh: toZsh, fish: toFish }[shell];
      if (write === undefined) throw new CommandError("usage", `There is no completion for "${shell}". Use bash, zsh or fish.`);
      const script = write(all());
      terminal.answer({ shell, script }, () => script);
    },
  };
}

/** First words, and for those with words below them, these. */
function tree(commands: readonly Command[]): ReadonlyMap<string, readonly string[]> {
  const words = new Map<string, string[]>();
  for (const { name } of commands) {
    const [first = "", second] = name.split(" ");
    const below = words.get(first) ?? [];
    if (second !== undefined) below.push(second);
    words.set(first, below);
  }
  return words;
}

function flagsOf({ options = [] }: Command): readonly string[] {
  return options.flatMap(({ flags }) => flags.match(/--[\w-]+/g) ?? []);
}

function toBash(commands: readonly Command[]): string {
  const words = tree(commands);
  const cases = [...words].filter(([, below]) => below.length > 0).map(([first, below]) => `    ${first}) words="${below.join(" ")}" ;;`);
  const flags = commands.map((command) => `    "${command.name}") flags="${flagsOf(command).join(" ")}" ;;`);
  return [
    "_toolrack() {",
    '  local current="${COMP_WORDS[COMP_CWORD]}" words="" flags=""',
    '  case "${COMP_WORDS[1]}" in',
    ...cases,
    "  esac",
    '  case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in',
    ...flags.filter((line) => /" .* "|"\w+ \w+"\)/.test(line)),
    "  esac",
    '  case "${COMP_WORDS[1]}" in',
    ...flags.filter((line) => !/"\w+ \w+"\)/.test(line)).map((line) => line.replace('flags="', 'flags="${flags} ')),
    "  esac",
    `  if [ "$COMP_CWORD" -eq 1 ]; then words="${[...words.keys()].join(" ")}"; fi`,
    '  if [[ "$current" == -* ]]; then words="$flags --json --url --config --no-color --help"; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    "}",
    "complete -F _toolrack toolrack",
  ].join("\n");
}

function toZsh(commands: readonly Command[]): string {
  return ["autoload -U +X bashcompinit && bashcompinit", toBash(commands)].join("\n");
}

function toFish(commands: readonly Command[]): string {
  return commands
    .flatMap(({ name, summary, options = [] }) => {
      const [first = "", second] = name.split(" ");
      const text = summary.replaceAll("'", "\\'");
      const own =
        second === undefined
          ? `complete -c toolrack -n __fish_use_subcommand -a ${first} -d '${text}'`
          : `complete -c toolrack -n '__fish_seen_subcommand_from ${first}' -a ${second} -d '${text}'`;
      const flags = options.flatMap(({ flags: written, description }) =>
        (written.match(/--[\w-]+/g) ?? []).map(
          (flag) =>
            `complete -c toolrack -n '__fish_seen_subcommand_from ${second ?? first}' -l ${flag.slice(2)} -d '${description.replaceAll("'", "\\'")}'`,
        ),
      );
      return [own, ...flags];
    })
    .join("\n");
}
