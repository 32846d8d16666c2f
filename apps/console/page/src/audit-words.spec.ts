import { changesOf, outcomeOf, proofFile, proofOf, targetOf } from './audit-words.js';
import { en } from './messages/en.js';

const entry = (changeId: string, phase: 'BEGUN' | 'ENDED', more: object = {}) => ({ changeId, phase, ...more });

describe('the audit trail', () => {
  it('shows each change once, with its outcome if it is known', () => {
    const ended = new Set<string>();
    const first = [entry('c', 'BEGUN'), entry('b', 'ENDED', { status: 204 })];
    const second = [entry('b', 'BEGUN'), entry('a', 'ENDED', { status: 409 }), entry('a', 'BEGUN')];
    const shown = [...changesOf(first, ended), ...changesOf(second, ended)];
    expect(shown.map(({ changeId, phase }) => [changeId, phase])).toEqual([
      ['c', 'BEGUN'],
      ['b', 'ENDED'],
      ['a', 'ENDED'],
    ]);
  });

  it('tells apart changes that were done, refused or have an unknown outcome', () => {
    expect(outcomeOf(en, entry('a', 'ENDED', { status: 201 }))).toBe(en.auditDone);
    expect(outcomeOf(en, entry('a', 'ENDED', { status: 409, errorCode: 'name_taken' }))).toBe(`${en.auditRefused} 409 name_taken`);
    expect(outcomeOf(en, entry('a', 'BEGUN'))).toBe(en.auditUnknown);
  });

  it('names each person whose data a list answered', () => {
    expect(targetOf({ target: {}, persons: ['p1', 'p2', 3] })).toEqual([
      ['identityId', 'p1'],
      ['identityId', 'p2'],
    ]);
  });

  it('tells which entries the signed history has, and nothing where none is published', () => {
    expect(proofOf(en, { proof: { state: 'PROVEN' } })).toEqual({ text: en.auditProven, isProven: true });
    expect(proofOf(en, { proof: { state: 'PENDING' } })).toEqual({ text: en.auditPending, isProven: false });
    expect([proofOf(en, {}), proofOf(en, { proof: 'PROVEN' }), proofOf(en, { proof: { state: 'OTHER' } })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('saves an entry with its checkpoint', () => {
    const { name, text } = proofFile({ sequence: 7, proof: { state: 'PROVEN' } }, 'note');
    expect([name, JSON.parse(text)]).toEqual(['audit-entry-7.json', { entry: { sequence: 7, proof: { state: 'PROVEN' } }, checkpoint: 'note' }]);
  });

  it.each([{}, { target: null }, { target: 'x' }, { target: { clientId: 7 } }])('names no id of %j', (given) => {
    expect(targetOf(given)).toEqual([]);
  });
});
