import { createInterface } from 'node:readline/promises';

import type { Command } from 'commander';

import { onOneLine } from '#kernel';

import { UsageFailure } from './failures.js';

/** The output of a command, and its questions. */
export class Terminal {
  constructor(private readonly asJson: boolean) {}

  /** The result: JSON for a script, text for a person. Nothing else goes to the standard output. */
  show(json: object, text: string): void {
    process.stdout.write(`${this.asJson ? JSON.stringify(json, undefined, 2) : text}\n`);
  }

  /** One of several results that come one after the other: JSON on one line for a script, text without control characters for a person. */
  line(json: object, text: string): void {
    process.stdout.write(`${this.asJson ? JSON.stringify(json) : onOneLine(text).trimEnd()}\n`);
  }

  /** For the person only. */
  note(text: string): void {
    if (!this.asJson) process.stderr.write(`${text}\n`);
  }

  /** Asks before an action that cannot be undone. Throws a UsageFailure without a terminal, or when the answer is no. */
  async confirm(question: string, yes: boolean): Promise<void> {
    if (yes) return;
    if (!process.stdin.isTTY) throw new UsageFailure(`${question} Repeat with --yes if so.`);
    const asking = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await asking.question(`${question} [y/N] `);
    asking.close();
    if (!/^y(es)?$/i.test(answer.trim())) throw new UsageFailure('nothing was changed');
  }
}

/** That of a command, with or without `--json`. */
export const terminalOf = (command: Command): Terminal => new Terminal(command.optsWithGlobals<{ json?: boolean }>().json ?? false);
