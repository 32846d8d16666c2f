import { execFileSync } from 'node:child_process';

import { completionScript, wordsByPath } from '../src/completion-script.js';
import { buildProgram } from '../src/program.js';

const program = buildProgram();

/** The words that bash offers for a line; the cursor is at its last word. */
const offered = (...line: readonly string[]): readonly string[] => {
  const words = line.map((word) => `'${word}'`).join(' ');
  const script = `${completionScript('bash', program, "/a folder/of o'clock")}
    COMP_WORDS=(countersign ${words}); COMP_CWORD=${line.length}; _countersign; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-euc', script], { encoding: 'utf8' }).trim().split('\n');
};

describe('the completion for bash', () => {
  it('offers the commands, and the words that begin like the typed one', () => {
    expect(offered('')).toEqual(expect.arrayContaining(['clients', 'webhooks', 'completion', '--json']));
    expect(offered('cl')).toEqual(['clients']);
  });

  it('offers the subcommands and options of the command before the cursor', () => {
    expect(offered('clients', 'cr')).toEqual(['create']);
    expect(offered('clients', 'create', '--redirect-uri', 'https://a.example/cb', '--na')).toEqual(['--name']);
    expect(offered('session', 'timeline', '00000000-0000-4000-8000-000000000000', '--w')).toEqual(['--watch']);
  });

  it('runs nothing that stands on the line', () => {
    expect(offered('$(exit 7)', 'cl')).toEqual(['clients']);
  });
});

it.each(['bash', 'zsh', 'fish'] as const)('the script for %s holds every command and option', (shell) => {
  const script = completionScript(shell, program, '/folder');
  for (const word of [...wordsByPath(program).values()].flat()) expect(script).toContain(word);
});
