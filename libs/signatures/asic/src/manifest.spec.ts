import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { MAX_DOCUMENTS, MAX_MANIFEST_BYTES, readManifest, uriOf, writeManifest } from './manifest.js';
import { collidingName, isSignedDataName } from './signed-data-name.js';

const hash = Uint8Array.from({ length: 64 }, (_, at) => at);
const anyName = fc.string({ unit: 'binary', minLength: 1, maxLength: 255 }).filter(isSignedDataName);

describe('a manifest', () => {
  it('is exactly this', () => {
    expect(new TextDecoder().decode(writeManifest({ documents: [{ name: 'a b.txt', hash }] }))).toBe(
      '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n' +
        '<asic:ASiCManifest xmlns:asic="http://uri.etsi.org/02918/v1.2.1#" xmlns:ds="http://www.w3.org/2000/09/xmldsig#">' +
        '<asic:SigReference MimeType="application/pkcs7-signature" URI="META-INF/signature001.p7s"/>' +
        '<asic:DataObjectReference MimeType="application/octet-stream" URI="a%20b.txt">' +
        '<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha512"/>' +
        '<ds:DigestValue>AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+Pw==</ds:DigestValue>' +
        '</asic:DataObjectReference></asic:ASiCManifest>',
    );
  });

  it('is read as it was written, with any legal Unicode in the name, and needs no escaping', () => {
    fc.assert(
      fc.property(anyName, fc.uint8Array({ minLength: 64, maxLength: 64 }), (name, digest) => {
        const bytes = writeManifest({ documents: [{ name, hash: digest }] });
        expect(readManifest(bytes)).toEqual({ documents: [{ name, hash: digest }] });
        expect(uriOf(name)).toMatch(/^[A-Za-z0-9._~%-]+$/);
      }),
    );
  });

  it('of any other form is refused', () => {
    const text = new TextDecoder().decode(writeManifest({ documents: [{ name: 'a.txt', hash }] }));
    for (const wrong of [
      '',
      `\ufeff${text}`,
      `${text}\n`,
      text.replace('?>\n', '?>\n<!DOCTYPE x [<!ENTITY a "b">]>'),
      text.replace('a.txt', '&a;'),
      text.replace('a.txt', '../a.txt'),
      text.replace('a.txt', '%61.txt'),
      text.replace('a.txt', 'a%2Fb.txt'),
      text.replace('a.txt', '%ff'),
      text.replace('a.txt', 'mimetype'),
      text.replace('==<', '<'),
      text.replace('Pw==', 'Px=='),
      text.replace('sha512', 'sha256'),
      text.replace('</asic:DataObjectReference>', '</asic:DataObjectReference><asic:DataObjectReference URI="b"/>'),
    ]) {
      expect(readManifest(new TextEncoder().encode(wrong))).toBeUndefined();
    }
    expect(readManifest(new Uint8Array(MAX_MANIFEST_BYTES + 1))).toBeUndefined();
  });

  it('is not written for a name or a hash that was not checked', () => {
    for (const documents of [
      [{ name: 'a/b', hash }],
      [{ name: 'a', hash: hash.subarray(1) }],
      [],
      [
        { name: 'a', hash },
        { name: 'A', hash },
      ],
    ])
      expect(() => writeManifest({ documents })).toThrow(RangeError);
  });

  it('names up to 50 documents, in the order given, however long their names are', () => {
    const numbered = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `${at}${'😀'.repeat(253)}`, hash }));
    const bytes = writeManifest({ documents: numbered(MAX_DOCUMENTS), request: { relyingParty: '😀'.repeat(255), title: '😀'.repeat(255) } });
    expect(bytes.length).toBeLessThan(MAX_MANIFEST_BYTES);
    expect(readManifest(bytes)?.documents).toEqual(numbered(MAX_DOCUMENTS));
    expect(() => writeManifest({ documents: numbered(MAX_DOCUMENTS + 1) })).toThrow(RangeError);
  });

  it('carries the relying party and the title that were shown, and reads no other form of them', () => {
    const documents = [{ name: 'a.txt', hash }];
    for (const request of [{ relyingParty: 'Bank & "Co" <x>' }, { relyingParty: '', title: '' }, { relyingParty: "A'b", title: 'Zeile – 100 %' }]) {
      const bytes = writeManifest({ documents, request });
      expect(readManifest(bytes)).toEqual({ documents, request });
      const text = new TextDecoder().decode(bytes);
      for (const wrong of [
        text.replace('Critical="false"', 'Critical="true"'),
        text.replace('/></asic:Extension>', '/><cs:Request RelyingParty="B"/></asic:Extension>'),
        text.replace(/(<asic:ASiCManifestExtensions>.*<\/asic:ASiCManifestExtensions>)/, '$1$1'),
        text.replace(/(<asic:DataObjectReference.*<\/asic:DataObjectReference>)(<asic:ASiCManifestExtensions>.*)(<\/asic:ASiCManifest>)/, '$2$1$3'),
      ]) {
        expect(wrong).not.toBe(text);
        expect(readManifest(new TextEncoder().encode(wrong))).toBeUndefined();
      }
    }
  });
});

describe('a name of signed data', () => {
  it.each([
    '',
    '.',
    '..',
    'mimetype',
    'MimeType',
    'META-INF',
    'meta-inf',
    'a/b',
    'a\\b',
    'a\u0000',
    'a\u007f',
    'a\u202eb',
    'a\u2066',
    'a\u2028b',
    'a\u2029b',
    '\ud800',
    'x'.repeat(256),
  ])('is not %j', (name) => expect(isSignedDataName(name)).toBe(false));

  it.each(['a', 'ab:c', 'mimetype.txt', '.hidden', ' ', 'a?*"<>|', 'trailing. ', '😀'.repeat(255), 'e\u0301', 'a%20b', '+'])('may be %j', (name) =>
    expect(isSignedDataName(name)).toBe(true),
  );

  it.each(['a..b.pdf', '...', 'C:x.pdf', 'C:', 'META-INFO.txt', 'meta-inf.xml', 'a\u200eb\u200fc.pdf', 'a\u061cb.pdf', '👩\u200d🔬.pdf'])(
    'may be %j, which only looks like a path, an own entry or a control',
    (name) => {
      expect(isSignedDataName(name)).toBe(true);
      expect(readManifest(writeManifest({ documents: [{ name, hash }] }))?.documents[0]?.name).toBe(name);
    },
  );
});

describe('names of several documents', () => {
  it.each([
    [['a.pdf', 'b.pdf', 'a.pdf'], 'a.pdf'],
    [['a.pdf', 'A.PDF'], 'A.PDF'],
    [['\u00e9.pdf', 'e\u0301.pdf'], 'e\u0301.pdf'],
    [['stra\u00dfe', 'STRASSE'], 'STRASSE'],
    [['\ufb01le', 'file'], 'file'],
    [['a.pdf', 'a.pdf. '], 'a.pdf. '],
    [['.', '..', '...'], undefined],
    [['a.pdf', 'a..pdf', 'b.pdf'], undefined],
  ] as const)('%j: %j would lie where an earlier one lies', (names, colliding) => expect(collidingName(names)).toBe(colliding));
});
