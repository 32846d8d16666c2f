import { de } from '../messages/de.js';
import { en } from '../messages/en.js';
import { waitingPageWords } from './waiting-page.js';

describe('the words about the page that waits', () => {
  it('name its browser and system, and tell that it is in the network of the phone', () => {
    expect(waitingPageWords({ browser: 'Firefox', system: 'Windows', sameNetwork: true }, en)).toEqual([
      'The page that waits: Firefox, Windows',
      'The page is on the same network as this phone.',
    ]);
  });

  it('tell that it is in another network, and when that is usual', () => {
    expect(waitingPageWords({ sameNetwork: false }, de)).toEqual([
      'Die Seite ist in einem anderen Netz als dieses Telefon. Bei mobilen Daten ist das üblich.',
    ]);
  });

  it('leave out what is not known', () => {
    expect(waitingPageWords({ system: 'Linux' }, en)).toEqual(['The page that waits: Linux']);
    expect(waitingPageWords({}, en)).toEqual([]);
  });
});
