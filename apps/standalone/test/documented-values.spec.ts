import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { errorCatalogue } from '#service/http';

import { OPERATION_NOTES } from '../src/open-api/operation-notes.js';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');

/** The members of a union of literals, as its source has them. */
const membersOf = (path: string, type: string): readonly string[] => {
  const [, union = ''] = new RegExp(`export type ${type} = ([^;]+);`).exec(read(path)) ?? [];
  return [...union.matchAll(/'(\w+)'/g)].map(([, member = '']) => member);
};

/** The text from a heading of any level to the next one. */
const under = (page: string, heading: string): string =>
  read(page)
    .split(new RegExp(`^#+ ${heading}$`, 'm'))[1]
    ?.split(/^#+ /m)[0] ?? '';

describe('conventions.md', () => {
  const codes = under('docs/specification/conventions.md', 'Error codes');
  it.each(Object.entries(errorCatalogue))('names the error code %s with its status', (code, { status }) => {
    const row = new RegExp(`^\\| ${status} \\| \`${code}\``, 'm');
    const listed = codes
      .replaceAll('\n', ' ')
      .split(/(?<=\(\d{3}\))/)
      .some((list) => list.endsWith(`(${status})`) && list.includes(`\`${code}\``));
    expect(row.test(codes) || listed).toBe(true);
  });
});

describe('the reasons of a cancelled session', () => {
  const all = membersOf('libs/domain/session/src/domain/session.events.ts', 'CancelReason');
  const shown = membersOf('libs/domain/session/src/use-cases/describe-login.ts', 'PublicCancelReason');

  it('are those of the source', () => {
    expect(all).toEqual(expect.arrayContaining(['DECLINED', 'WRONG_CODE', 'ERASED']));
    expect(shown).toEqual(expect.arrayContaining(['DECLINED', 'WRONG_CODE']));
  });

  it('stand in admin.md and in the form of the event, all of them', () => {
    const [, reasons = ''] = /^Reasons: (.+)\.$/m.exec(read('docs/specification/admin.md')) ?? [];
    expect(reasons.split(', ').toSorted()).toEqual(all.map((reason) => `\`${reason}\``).toSorted());
    const [, examples = ''] = /reason: \{.*examples: \[([^\]]+)\]/.exec(read('docs/asyncapi.yaml')) ?? [];
    expect(examples.split(', ').toSorted()).toEqual(all.toSorted());
  });

  it('stand in login-ui.md as far as the page learns them', () => {
    const [, reasons = ''] = /of a cancelled login `reason`: ([^.]+)\./.exec(read('docs/specification/login-ui.md')) ?? [];
    expect([...reasons.matchAll(/`(\w+)`/g)].map(([, reason]) => reason).toSorted()).toEqual(shown.toSorted());
  });
});

describe('the notes of the reference', () => {
  it('name the conflict of each operation that takes an Idempotency-Key', () => {
    const keyed = Object.entries(OPERATION_NOTES).filter(([, { headers = [] }]) => headers.some(({ name }) => name === 'Idempotency-Key'));
    expect(keyed.map(([name]) => name)).toEqual(['POST /relying-party/v1/session', 'POST /relying-party/v1/create-signing-request']);
    for (const [, { errors }] of keyed) expect(errors).toEqual(expect.arrayContaining(['idempotency_conflict', 'rate_limited']));
  });

  it('name the refusals of a body that has no schema', () => {
    expect(OPERATION_NOTES['POST /sandbox/v1/faults']).toMatchObject({ readsBody: true, errors: ['invalid_request'] });
  });
});

describe('a page that an integrator reads first', () => {
  it.each(['README.md', 'docs/relying-party.md', 'docs/specification/conventions.md'])('says that the interface is unstable: %s', (page) => {
    expect(read(page)).toMatch(/interface is (declared )?unstable/);
  });
});

describe('the push of a login on the hosted page', () => {
  it.each([
    ['docs/relying-party/more.md', /when the page has claimed the login, not at the\s+creation.*asynchronous/s],
    ['docs/specification/login-ui.md', /With `push` and `hosted_page` nothing is pushed at the creation; the claim does it\. \*Why:\*/],
  ])('has its reason in %s', (page, reason) => {
    expect(read(page)).toMatch(reason);
  });
});
