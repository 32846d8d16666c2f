import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The words that may follow a command (its subcommands and options), by the command's path (`clients create`; empty for the program). */
export const wordsByPath = (program: Command): ReadonlyMap<string, readonly string[]> => {
  const words = new Map<string, readonly string[]>();
  const visit = (command: Command, path: readonly string[]): void => {
    const options = [...command.options, ...program.options].flatMap(({ long }) => (long ? [long] : []));
    words.set(path.join(' '), [...command.commands.map((child) => child.name()), ...new Set([...options, '--help'])]);
    for (const child of command.commands) visit(child, [...path, child.name()]);
  };
  visit(program, []);
  return words;
};

/** A script for the shell: `countersign` runs the command line of the repository in this folder, and Tab completes commands and options. */
export const completionScript = (shell: Shell, program: Command, folder: string): string => SCRIPTS[shell](wordsByPath(program), folder);

type Words = ReadonlyMap<string, readonly string[]>;

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Bash and zsh alike: the words before the cursor that are commands are the path. */
const cases = (words: Words): string => [...words].map(([path, next]) => `    ${quoted(path)}) next=${quoted(next.join(' '))} ;;`).join('\n');

const paths = (words: Words): string =>
  [...words.keys()]
    .filter((path) => path !== '')
    .map((path) => quoted(path))
    .join('|');

const run = (folder: string): string => `countersign() { npm --prefix ${quoted(folder)} run --silent cli -- "$@"; }`;

const SCRIPTS: Readonly<Record<Shell, (words: Words, folder: string) => string>> = {
  bash: (words, folder) => `${run(folder)}
_countersign() {
  local path='' next='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in ${paths(words)}) path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
${cases(words)}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _countersign countersign
`,
  zsh: (words, folder) => `${run(folder)}
_countersign() {
  local path_so_far='' next='' word
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${path_so_far:+$path_so_far }$word" in ${paths(words)}) path_so_far="\${path_so_far:+$path_so_far }$word" ;; esac
  done
  case "$path_so_far" in
${cases(words)}
  esac
  compadd -- \${=next}
}
compdef _countersign countersign
`,
  fish: (words, folder) => `function countersign; npm --prefix ${quoted(folder)} run --silent cli -- $argv; end
function __countersign_next
  set -l path ''
  for word in (commandline -opc)[2..-1]
    switch (string trim "$path $word")
      case ${[...words.keys()]
        .filter((path) => path !== '')
        .map(quoted)
        .join(' ')}
        set path (string trim "$path $word")
    end
  end
  switch "$path"
${[...words].map(([path, next]) => `    case ${quoted(path)}\n      printf '%s\\n' ${next.map(quoted).join(' ')}`).join('\n')}
  end
end
complete -c countersign -f -a '(__countersign_next)'
`,
};
