import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { eventually } from '#testkit/kernel/eventually';

import { type Command, type Outcome, run, Running } from './run.js';

/** Tests that are written beside an example, each in a file of its own: the name of a file and its text. */
export type TestFile = readonly [name: string, text: string];

export interface TestRunner {
  readonly name: string;
  /** How many tests the example has. */
  readonly tests: number;
  /** Makes the example anew, and answers its folder. */
  readonly project: () => Promise<string>;
  /** Runs these files of it, or all. */
  readonly command: (folder: string, ...files: readonly string[]) => Command;
  /** Two files with a test each that says the sandbox's address, after the word `at`. */
  readonly addresses: readonly [TestFile, TestFile];
  /** A test that logs a person in and expects no login. */
  readonly wrong: TestFile;
  /** A test that says the sandbox's address, after the word `at`, and never ends. */
  readonly endless: TestFile;
  /** Runs the example where the sandbox finds an {@link oldNode}. */
  readonly withOldNode: (folder: string) => Command;
}

/** Milliseconds. Surefire's process of the tests looks for Maven every ten seconds or so, and the sandbox ends with it. */
const ENDING = 120_000;

/** Passed and failed tests, as the runner says at its end. */
const countsIn = (output: string): readonly [number, number] => {
  const maven = /Tests run: (\d+), Failures: (\d+), Errors: (\d+)(?!.*Tests run:)/s.exec(output);
  if (maven) {
    const [all, failures, errors] = maven.slice(1).map(Number) as [number, number, number];
    return [all - failures - errors, failures + errors];
  }
  const last = (word: string): number => Number([...output.matchAll(new RegExp(`(\\d+) ${word}`, 'g'))].at(-1)?.[1] ?? 0);
  return [last('passed'), last('failed')];
};

/** The runner says these counts, and ends with 0 exactly where none has failed. The error shows what it said. */
const expectCounts = ({ status, output }: Outcome, [passed, failed]: readonly [number, number]): void => {
  const found = { counts: countsIn(output), succeeded: status === 0 };
  const wanted = { counts: [passed, failed], succeeded: failed === 0 };
  if (!isDeepStrictEqual(found, wanted)) throw new Error(`${JSON.stringify(found)} in place of ${JSON.stringify(wanted)}:\n${output}`);
};

const SUBJECT_ID = /\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/;

const addressesIn = (output: string): readonly string[] => [...output.matchAll(/\bat (http:\/\/localhost:\d+)/g)].map(([, address = '']) => address);

const answers = (address: string): Promise<boolean> =>
  fetch(`${address}/readyz`, { headers: { connection: 'close' } }).then(
    () => true,
    () => false,
  );

/** What the helper for a runner promises, whatever runner it is. */
export const describeRunner = ({ name, tests, project, command, addresses, wrong, endless, withOldNode }: TestRunner): void => {
  describe(name, () => {
    let folder: string;
    const write = ([file, text]: TestFile): string => {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
      return file;
    };
    beforeAll(async () => {
      folder = await project();
    });

    it('runs the example: a login, a refusal by the person, a webhook', async () => {
      expectCounts(await run(command(folder)), [tests, 0]);
    });

    it('has one sandbox for all workers, which ends with the run, and tells of each failure', async () => {
      const outcome = await run(command(folder, ...addresses.map(write), write(wrong)));
      expectCounts(outcome, [2, 1]);
      expect(outcome.output).toMatch(SUBJECT_ID); // The reason of the failure: the person who has logged in.
      const named = addressesIn(outcome.output);
      expect([named.length >= 2, new Set(named).size]).toEqual([true, 1]);
      await eventually(async () => !(await answers(named[0]!)), { what: 'the sandbox has ended' });
    });

    it('leaves no sandbox behind when it is killed', async () => {
      await using running = new Running(command(folder, write(endless)));
      await eventually(() => addressesIn(running.output).length > 0, { what: () => `the test has begun: ${running.output}`, within: 120_000 });
      const [address = ''] = addressesIn(running.output);
      expect(await answers(address)).toBe(true);
      running.child.kill('SIGKILL');
      await eventually(async () => !(await answers(address)), { what: 'the sandbox has ended', within: ENDING });
    });

    it('says in a sentence that Node is too old', async () => {
      const { status, output } = await run(withOldNode(folder));
      expect([status === 0, output]).toEqual([
        false,
        expect.stringContaining('The Countersign sandbox needs Node 22.13 or later, and this is Node 20.20.2.'),
      ]);
    });
  });
};
