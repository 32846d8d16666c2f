import { describe, expect, it } from '@jest/globals';

import { Secret, type SessionId } from '#kernel';

import { type ClaimingBrowser, WaitingPages } from './waiting-pages.js';

const SESSION = '00000000-0000-4000-8000-000000000001' as SessionId;
const OTHER = '00000000-0000-4000-8000-000000000002' as SessionId;
const HERE = '4 192.0.2.1';

const pages = new WaitingPages(new Secret(Buffer.alloc(32, 1)));
const shown = (browser: ClaimingBrowser, network: string | undefined, scanned = SESSION) => {
  const kept = pages.kept(SESSION, browser);
  return kept && pages.shown(scanned, kept, network);
};

describe('the page that waits', () => {
  it('is shown with its browser and system, whether or not the networks are known', () => {
    expect(shown({ browser: 'Firefox', system: 'Windows' }, HERE)).toStrictEqual({ browser: 'Firefox', system: 'Windows' });
  });

  it.each([
    ['one network', HERE, HERE, { sameNetwork: true }],
    ['one IPv6 network', '6 2001:db8:0:1', '6 2001:db8:0:1', { sameNetwork: true }],
    ['two networks', HERE, '4 192.0.2.2', { sameNetwork: false }],
    ['two IPv6 networks', '6 2001:db8:0:1', '6 2001:db8:0:2', { sameNetwork: false }],
    ['addresses of two kinds, which may be of one house', '6 2001:db8:0:1', HERE, {}],
    ['a phone whose network is not known', HERE, undefined, {}],
  ])('in %s', (_, ofPage, ofPhone, expected) => {
    expect(shown({ network: ofPage }, ofPhone)).toStrictEqual(expected);
  });

  it('says nothing of a network where the page has none', () => {
    expect(shown({ browser: 'Firefox' }, HERE)).toStrictEqual({ browser: 'Firefox' });
  });

  it('is not kept where nothing is known', () => {
    expect(pages.kept(SESSION, {})).toBeUndefined();
    expect(pages.kept(SESSION, { network: undefined })).toBeUndefined();
  });

  it('keeps no address: a hash that only the key and the session give', () => {
    const kept = pages.kept(SESSION, { network: HERE })!;
    expect(JSON.stringify(kept)).not.toContain('192');
    expect(pages.kept(OTHER, { network: HERE })).not.toEqual(kept);
    expect(new WaitingPages(new Secret(Buffer.alloc(32, 2))).kept(SESSION, { network: HERE })).not.toEqual(kept);
  });

  it('keeps the same hash in every release, since a claim and its scan may meet different ones', () => {
    expect(pages.kept(SESSION, { network: HERE })).toStrictEqual({ network: { kind: '4', hash: 'w48' } });
    expect(pages.kept(SESSION, { system: 'Windows' })).toStrictEqual({ system: 'Windows' });
  });

  it('keeps only two bytes of the hash, so that many addresses give the same value', () => {
    const { network } = pages.kept(SESSION, { network: HERE })!;
    expect(Buffer.from(network!.hash, 'base64url')).toHaveLength(2);
  });

  it('cannot be moved to another session', () => {
    expect(shown({ network: HERE }, HERE, OTHER)).toStrictEqual({ sameNetwork: false });
  });

  it('is in another network than the phone when its stored hash was cut short', () => {
    expect(pages.shown(SESSION, { network: { kind: '4', hash: '' } }, HERE)).toStrictEqual({ sameNetwork: false });
  });
});
