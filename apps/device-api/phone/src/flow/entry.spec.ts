import { readFragment, readInput } from './entry.js';

const SESSION = '7b6d1c1a-0b5e-4a51-9a55-0d8b7a3b9f10';
const URI = `countersign://app/scan?sessionId=${SESSION}&returnUrl=https%3A%2F%2Fa.example%2F`;
const SCAN = { kind: 'SCAN', link: { sessionId: SESSION, returnUrl: 'https://a.example/' } };

describe('the input of the phone', () => {
  it('is a request in the fragment of its address', () => {
    expect(readFragment(`#${encodeURIComponent(URI)}`, 'countersign')).toEqual(SCAN);
  });

  it('is an activation code in the fragment of its address', () => {
    expect(readFragment('#activate=AB%2FC-1', 'countersign')).toEqual({ kind: 'ACTIVATE', code: 'AB/C-1' });
  });

  it('is a payload, or a link to a web phone that carries one', () => {
    expect(readInput(`  ${URI}\n`, 'countersign')).toEqual(SCAN);
    expect(readInput(`https://phone.example/#${encodeURIComponent(URI)}`, 'countersign')).toEqual(SCAN);
    expect(readInput('https://phone.example/#activate=X', 'countersign')).toEqual({ kind: 'ACTIVATE', code: 'X' });
  });

  it.each(['', '#', '#activate=', '#activate=%', '#%', '#javascript:alert(1)'])('is nothing with "%s"', (hash) => {
    expect(readFragment(hash, 'countersign')).toBeUndefined();
    expect(readInput(hash, 'countersign')).toBeUndefined();
  });
});
