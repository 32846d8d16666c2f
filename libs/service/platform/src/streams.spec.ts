import { existsSync, globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { categoryOf, LOSSES, lossStream } from '#engines/event-store';

import { CATEGORIES_LEFT_BEHIND, FIRST_QUEUES, GUARDED_STREAMS, MARKED_CATEGORIES, shortenedStreams, STREAMS } from './streams.js';

const ROOT = resolve(import.meta.dirname, '../../../..');
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8');

/** The code of the services, without tests. */
const SOURCES = globSync('{apps/*,libs/*,libs/*/*}/src/**/*.ts', { cwd: ROOT })
  .filter((path) => !path.endsWith('.spec.ts'))
  .map((path) => ({ path, text: read(path) }));

const found = (pattern: RegExp, sources = SOURCES): string[] => [
  ...new Set(sources.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, name = '']) => name))),
];

/** Categories whose names are no words of the language. */
const NO_OTHER_WORDS = [
  ...['admintokens', 'auditforwarding', 'breakglass', 'busoffset', 'changerequest', 'clientlogo', 'clientname', 'deadletter', 'deliverylog'],
  ...['historyacceptance', 'historyrequest', 'identitydata', 'lastingkey', 'personlimits', 'portallogins', 'portalmembers', 'portalphones'],
  ...['portalsession', 'pushsubscriptions', 'sandboxphone', 'signinglog', 'trustservice'],
];

const DECLARED_TYPES = STREAMS.flatMap(({ terms }) => [...terms.events.types]);

/** A value that is encrypted with a data key, as JSON holds it. */
const SEALED = /"[A-Za-z0-9_-]{1,32}\.1\.[A-Za-z0-9_-]{38,}"/;

/** The declared events in a golden file, however deep they lie. */
const eventsIn = (value: unknown): readonly { readonly type: string; readonly data: unknown }[] => {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(eventsIn);
  const { type, data } = value as { type?: unknown; data?: unknown };
  return typeof type === 'string' && DECLARED_TYPES.includes(type) && data !== undefined ? [{ type, data }, ...inner] : inner;
};

describe('the declarations of the streams', () => {
  it('hold every category that the sources declare, each once', () => {
    const declaring = SOURCES.filter(({ text }) => text.includes('new DeclaredStreams('));
    const categories = STREAMS.map(({ category }) => category);
    expect(found(/\bcategory: '(\w+)',\n\s*owner/g, declaring).toSorted()).toEqual(categories.toSorted());
    expect(new Set(categories).size).toBe(categories.length);
    expect(found(/(new DeclaredStreams\()/g, declaring)).toHaveLength(1);
    expect(declaring.flatMap(({ text }) => [...text.matchAll(/new DeclaredStreams\(/g)])).toHaveLength(categories.length);
  });

  it('alone name a category: all other code asks the declaration', () => {
    const names = STREAMS.map(({ category }) => category).join('|');
    // Some names are words that mean something else, too.
    const named = new RegExp(`(?:[cC]ategor|CATEGOR)\\w*\\b.*'(${names})'|'(${names})'.*[cC]ategor|'(${NO_OTHER_WORDS.join('|')})'`);
    const lines = SOURCES.filter(({ text }) => !text.includes('new DeclaredStreams(')).flatMap(({ path, text }) =>
      text.split('\n').flatMap((line) => (named.test(line) ? [`${path}: ${line.trim()}`] : [])),
    );
    expect(NO_OTHER_WORDS.filter((name) => !STREAMS.some(({ category }) => category === name))).toEqual([]);
    // The declarations call it, so it cannot import one.
    expect(lines).toEqual([`libs/engines/event-store/src/note-loss.ts: const LOSS_CATEGORY = 'loss';`]);
    expect(categoryOf(lossStream('of a digest'))).toBe(LOSSES.category);
  });

  it('make every name of a stream', () => {
    const makers = SOURCES.filter(({ path }) => !path.startsWith('libs/engines/event-store/src/'));
    expect(makers.filter(({ text }) => /\bstreamName\b|as StreamName\b/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('are the only way to shorten or close a stream', () => {
    const stores = /libs\/engines\/event-store\/src\/|key-checked-event-store/;
    const calling = SOURCES.filter(({ path }) => !stores.test(path)).flatMap(({ path, text }) =>
      [...text.matchAll(/(\S+)\.(?:setRetention|truncateBefore|tombstone)\(/g)].map(([, object = '']) => ({ path, object })),
    );
    expect(calling.length).toBeGreaterThan(10);
    expect(calling.filter(({ object }) => !/^[A-Z_]+$/.test(object))).toEqual([]);
  });

  it('hold every type of event that the sources make, each in one category', () => {
    const made = [...found(/\bDomainEvent<\s*'(\w+)'/g), ...found(/\{ type: '([A-Z]\w+)', data\b/g)];
    expect(made.length).toBeGreaterThan(50);
    expect([...new Set(made)].filter((type) => !DECLARED_TYPES.includes(type))).toEqual([]);
    expect(new Set(DECLARED_TYPES).size).toBe(DECLARED_TYPES.length);
  });

  it('hold no type that no code knows', () => {
    const text = SOURCES.map((source) => source.text).join('\n');
    expect(DECLARED_TYPES.filter((type) => (text.match(new RegExp(`\\b${type}\\b`, 'g')) ?? []).length < 2)).toEqual([]);
  });

  it('name an owner that exists, and a category without a hyphen', () => {
    expect(STREAMS.filter(({ category, terms }) => !/^[a-z]+$/.test(category) || !existsSync(resolve(ROOT, terms.owner, 'src')))).toEqual([]);
  });

  it('lose no guarded event by age or number', () => {
    const losing = STREAMS.filter(({ terms }) => terms.guarded.length > 0 && (terms.retention?.maxAge ?? terms.retention?.maxCount) !== undefined);
    expect(losing).toEqual([]);
  });

  it('lose nothing at all of a stream that processes watch', () => {
    expect([...GUARDED_STREAMS]).toEqual(['audit-log']);
    expect(STREAMS.filter(({ terms }) => terms.watched && terms.retention)).toEqual([]);
  });

  it('guard what gives or takes a right, and the trail, but no event of a login', () => {
    const guarded = new Map(STREAMS.filter(({ terms }) => terms.guarded.length > 0).map(({ category, terms }) => [category, terms]));
    expect([...guarded.keys()].toSorted()).toEqual([
      'admintokens',
      'audit',
      'breakglass',
      'client',
      'device',
      'historyacceptance',
      'historyrequest',
      'identity',
      'loss',
      'portalmembers',
      'portalphones',
    ]);
    for (const { category, guarded: types, events } of guarded.values()) if (category !== 'device') expect(types).toHaveLength(events.types.size);
    expect(guarded.get('device')?.guarded).toEqual(['DeviceEnrolled', 'DeviceLocked', 'DeviceRevoked']);
  });

  it('say where sealed values lie: no other golden event holds one', () => {
    const golden = globSync('{apps/*,libs/*,libs/*/*}/src/**/*.v[0-9]*.json', { cwd: ROOT }).flatMap((path) => eventsIn(JSON.parse(read(path))));
    const sealed = golden.filter(({ data }) => SEALED.test(JSON.stringify(data))).map(({ type }) => type);
    const declared = STREAMS.filter(({ terms }) => terms.sealed);
    expect(sealed.filter((type) => !declared.some(({ terms }) => (terms.events.types as ReadonlySet<string>).has(type)))).toEqual([]);
    const without = declared.filter(({ terms }) => !sealed.some((type) => (terms.events.types as ReadonlySet<string>).has(type)));
    // The recorded data directories of releases hold these: release-data.e2e.spec.ts.
    expect(without.map(({ category }) => category).toSorted()).toEqual(['client', 'identitydata', 'session']);
  });

  it('tell in which order a work takes the queues', () => {
    expect(FIRST_QUEUES).toEqual(['session', 'device', 'identity', 'client']);
    const places = STREAMS.flatMap(({ terms: { queue = [] } }) => queue);
    expect(new Set(places).size).toBe(places.length);
  });

  it('are not known to engines: none of them names a category of the domain, but for traces', () => {
    // Words that engines use for something else.
    const others = ['checkpoint', 'client', 'identity', 'subject'];
    const names = STREAMS.filter(({ category, terms }) => terms.owner.startsWith('libs/domain/') && !others.includes(category));
    const quoted = new RegExp(`'(${names.map(({ category }) => category).join('|')})'`);
    const lines = SOURCES.filter(({ path }) => path.startsWith('libs/engines/')).flatMap(({ path, text }) =>
      text.split('\n').flatMap((line) => (quoted.test(line) ? [`${path}: ${line.trim()}`] : [])),
    );
    // The one category whose ids may stand in a trace.
    expect(lines).toEqual([`libs/engines/event-store/src/append-span.ts: const SESSION = 'session';`]);
  });

  it('tell which streams need no mark of the store, and which ones a move to another store leaves behind', () => {
    const unmarked = STREAMS.map(({ category }) => category).filter((category) => !MARKED_CATEGORIES.includes(category));
    expect(unmarked.toSorted()).toEqual(['busoffset', 'deadletter', 'history', 'mark', 'relay']);
    expect(CATEGORIES_LEFT_BEHIND.toSorted()).toEqual(['busoffset', 'checkpoint', 'deadletter', 'relay']);
  });

  it('tell which streams may lack their first events', () => {
    const shortened = (how: 'aged' | 'truncated') => STREAMS.filter(({ shortening }) => shortening === how).map(({ category }) => category);
    expect(shortened('aged').toSorted()).toEqual([
      ...['approval', 'certificate', 'changerequest', 'deadletter', 'deliverylog', 'inbox', 'portallogins', 'portalsession', 'result', 'signinglog'],
    ]);
    expect(shortened('truncated').toSorted()).toEqual([
      ...[
        'auditforwarding',
        'busoffset',
        'checkpoint',
        'clientlogo',
        'device',
        'history',
        'identitydata',
        'person',
        'personlimits',
        'pushsubscriptions',
        'relay',
        'subject',
        'trustservice',
      ],
    ]);
    expect(['audit', 'session', 'constructor', 'unknown'].map(shortenedStreams)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('are those that the pages of documents describe', () => {
    const listed = (path: string): string[] => [
      ...new Set(
        [...read(path).matchAll(/^\| (`[a-z]+-.*?) \|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`([a-z]+)-/g)].map(([, name = '']) => name)),
      ),
    ];
    const categories = STREAMS.map(({ category }) => category);
    expect(listed('docs/events.md').toSorted()).toEqual(categories.toSorted());
    expect(listed('docs/specification/storage.md').filter((name) => !categories.includes(name))).toEqual([]);
  });
});
