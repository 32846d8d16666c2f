import { constantTimeEqual, fromBase64url, hmac, type KeyRing, Note } from '#kernel';

import { categoryOf, type EventMetadata, type RecordedEvent, type StreamName } from '../event-store.js';
import type { RefusalReason } from './stream-refused.js';

/**
 * Names the event before: the start of its MAC, or the two values below. 16 bytes in hexadecimal: a text, because a short Buffer that is kept for long keeps the
 * 64 KiB that Node has cut it from.
 */
export type Link = string;

const LINK_LENGTH = 16;
const MAC_LENGTH = 32;

/** Of the first event of a stream. */
export const BEGIN: Link = '00'.repeat(LINK_LENGTH);
/** The event before could not be read any more when this one was appended: it had expired. */
export const EXPIRED: Link = 'ff'.repeat(LINK_LENGTH);

/** The parts of an event that a MAC covers, beside the environment and the link. */
export interface AuthenticatedEvent {
  readonly stream: StreamName;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  /** JSON text. */
  readonly data: string;
  /** Its MAC is not looked at. */
  readonly metadata: EventMetadata;
}

/** What the metadata of an event may hold, whatever its stream, beside the MAC. */
const ENVELOPE: readonly (keyof EventMetadata & string)[] = ['v', 'traceparent'];

/**
 * Message authentication codes of events: `base64url(length ‖ keyId ‖ link ‖ HMAC-SHA-256(key, …))` (RFC 2104). The link names the event before, so
 * that an event alone can be checked, and a whole stream as a chain: ADR 0021. The metadata is covered member by member: ADR 0111.
 */
export class EventMacs {
  /** What the MACs under the current key begin with. */
  #head: { readonly keyId: string; readonly bytes: Buffer } | undefined;
  /** In their order, in which they are covered. */
  readonly #names: readonly string[];

  constructor(
    private readonly ring: KeyRing,
    /** Events of another environment are forged ones. */
    private readonly environment: string,
    /** The members of metadata that services write, beside the version and the trace context. A name that comes later changes no MAC of an event without it. */
    names: readonly string[] = [],
    /** The categories of streams that services of every environment read. */
    private readonly acrossEnvironments: ReadonlySet<string> = new Set(),
  ) {
    this.#names = [...ENVELOPE, ...names].sort();
  }

  /** The text of the MAC, and its parts; their `next` is the link that names this event. Throws a TypeError for metadata that the MAC would not cover. */
  make(event: AuthenticatedEvent, link: Link): { readonly mac: string; readonly parts: MacParts } {
    if (!this.#coversAll(event.metadata)) throw new TypeError(`no MAC covers all of ${Object.keys(event.metadata).join(', ')}`);
    const { id, key } = this.ring.current();
    if (this.#head?.keyId !== id) this.#head = headOf(id);
    const mac = this.#hmac(key.reveal(), event, link);
    return {
      mac: Buffer.concat([this.#head.bytes, Buffer.from(link, 'hex'), mac]).toString('base64url'),
      parts: partsWith(id, link, mac.toString('hex')),
    };
  }

  /** Why the event's own MAC is refused; undefined when a service has stored this event at this place. */
  refusal(event: RecordedEvent): Exclude<RefusalReason, 'chain' | 'missing'> | undefined {
    if (typeof event.metadata?.mac !== 'string') return 'unsigned';
    const parts = partsOf(event);
    if (!parts) return 'forged';
    const key = this.ring.find(parts.keyId);
    if (!key) return 'key';
    return constantTimeEqual(Buffer.from(parts.mac, 'hex'), this.#hmac(key.key.reveal(), authenticated(event), parts.link)) ? undefined : 'forged';
  }

  /** Reads the keys again: another service may already use a new one. */
  rereadKeys(): Promise<void> {
    return this.ring.reread();
  }

  /** The event without the metadata that its MAC does not cover, which any user of the store may have added. The same object where it covers all. */
  shown<Event extends RecordedEvent>(event: Event): Event {
    const { metadata } = event;
    if (!metadata || this.#coversAll(metadata)) return event;
    return { ...event, metadata: Object.fromEntries(Object.entries(metadata).filter(([name]) => this.#covers(name))) };
  }

  #coversAll(metadata: EventMetadata): boolean {
    for (const name in metadata) if (!this.#covers(name)) return false;
    return true;
  }

  #covers(name: string): boolean {
    return name === 'mac' || this.#names.includes(name);
  }

  #hmac(key: Buffer, { stream, revision, id, type, data, metadata }: AuthenticatedEvent, link: Link): Buffer {
    const isAcross = this.acrossEnvironments.has(categoryOf(stream));
    const parts = [...(isAcross ? ['event of any environment'] : ['event', this.environment]), stream, String(revision), link, id, type, data];
    for (const name of this.#names) {
      const value = metadata[name];
      if (value !== undefined) parts.push(name, JSON.stringify(value));
    }
    return hmac(key, framed(parts));
  }
}

/** The link that names the event: what the event after it carries; undefined of an event without a MAC. */
export const linkTo = (event: RecordedEvent): Link | undefined => partsOf(event)?.next;

/** The link that the event carries; undefined of an event without a MAC. */
export const linkOf = (event: RecordedEvent): Link | undefined => partsOf(event)?.link;

/** The id of the key that has made the MAC; undefined of a text that is none. */
export const keyOfMac = (mac: string): string | undefined => parse(mac)?.keyId;

const headOf = (keyId: string) => {
  const name = Buffer.from(keyId);
  return { keyId, bytes: Buffer.concat([Buffer.of(name.length), name]) };
};

/**
 * A reader has the values and not the text that was stored. The text of the data that is made from them is the one that was stored, since both were made by
 * JSON.stringify from equal values; what a parser would drop, such as a second member of one name, is not used either.
 */
const authenticated = ({ stream, revision, id, type, data, metadata = NOTHING }: RecordedEvent): AuthenticatedEvent => ({
  stream,
  revision,
  id,
  type,
  data: JSON.stringify(data),
  metadata,
});

const NOTHING = {} as EventMetadata;

export interface MacParts {
  readonly keyId: string;
  /** Names the event before. */
  readonly link: Link;
  /** In hexadecimal. */
  readonly mac: string;
  /** Names the event itself: the start of its MAC. */
  readonly next: Link;
}

const partsWith = (keyId: string, link: Link, mac: string): MacParts => ({ keyId, link, mac, next: mac.slice(0, 2 * LINK_LENGTH) });

/** Of events that were read: each is looked at as an event, as the successor of one, and as the predecessor of another one, whenever its stream is read. */
const known = new Note<RecordedEvent, MacParts>();

/** Notes the parts of the MAC that this process has just made for the event, so that they need not be read from its text. */
export const noteParts = (event: RecordedEvent, parts: MacParts): void => known.set(event, parts);

const partsOf = (event: RecordedEvent): MacParts | undefined => {
  const found = known.get(event);
  if (found) return found;
  const parts = typeof event.metadata?.mac === 'string' ? parse(event.metadata.mac) : undefined;
  if (parts) known.set(event, parts);
  return parts;
};

const parse = (text: string): MacParts | undefined => {
  const bytes = fromBase64url(text);
  const nameLength = bytes?.[0];
  if (!bytes || nameLength === undefined || bytes.length !== 1 + nameLength + LINK_LENGTH + MAC_LENGTH) return undefined;
  const linkAt = 1 + nameLength;
  const macAt = linkAt + LINK_LENGTH;
  return partsWith(bytes.toString('utf8', 1, linkAt), bytes.toString('hex', linkAt, macAt), bytes.toString('hex', macAt));
};

/** Each part behind its length, so that no two lists of parts give the same text. */
const framed = (parts: readonly string[]): string => {
  let text = '';
  for (const part of parts) text += `${part.length}:${part}`;
  return text;
};
