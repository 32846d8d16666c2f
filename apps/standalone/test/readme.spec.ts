import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');

/** The commands that README.md has under a heading, as CI reads them. */
const commands = (heading: string): string => execFileSync('bash', ['.ci/readme-block', heading], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' });

describe('the README', () => {
  it.each([
    ['Start it', 'npm install && npm start\n'],
    ['Test it', 'npm install && npm test\n'],
  ])('needs one command on a machine with Node.js alone: %s', (heading, command) => {
    expect(commands(heading)).toBe(command);
  });

  it('has a block that CI follows under each heading of a walk, and CI fails without one', () => {
    expect(commands('Log in')).toContain('/relying-party/v1/session/token');
    expect(commands('Sign a document')).toMatch(/^npm run --silent cli -- verify /m);
    expect(() => commands('Next steps')).toThrow("no sh block under 'Next steps'");
  });

  it('names the command by which CI runs the tests', () => {
    expect(readFileSync(`${ROOT}/.ci/run`, 'utf8')).toContain(`test) count_tests "$1" bash -c "$(.ci/readme-block 'Test it') `);
  });
});
