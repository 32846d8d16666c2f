import type { Clock, Json, Sealer, SessionId } from '#kernel';
import { decideAndAppend, type EventStore, NO_STREAM, type RecordedEvent, type StreamName, StreamTombstoned } from '#engines/event-store';
import { Certificate, type VerifiedTimeStamp } from '#signatures/pki';

import type { Lifetimes } from '../domain/lifetimes.js';
import type { SigningResult, SigningStatement } from '../domain/sealed-terms.js';
import { type ResultEvent, RESULTS } from '../streams.js';

/** The attributes that the device has signed: those of the scan, but with the time of the PIN. */
export type TimedAttributes = {
  /** Base64. */
  readonly toBeSigned: string;
  /** Epoch milliseconds. */
  readonly signingTime: number;
};

/** The signature value, base64, as the container holds it. With the attributes, unless the device has signed those of the scan. */
type KeptSignature = string | ({ readonly signature: string } & TimedAttributes);

/** The stored parts of a signature. */
export interface StoredSignature {
  readonly statement?: SigningStatement;
  /** Base64. */
  readonly signature?: string;
  /** The attributes that were signed, unless they are those of the statement. */
  readonly timed?: TimedAttributes;
  readonly timeStamp?: VerifiedTimeStamp;
  readonly archived?: ArchivedSignature;
  readonly result?: SigningResult;
}

/** A signature with the archive time-stamp that was bought over it. */
export interface ArchivedSignature {
  /** The CMS signature with the revocation data in it: the time-stamp covers these bytes, so no later try may gather them anew. */
  readonly cms: Buffer;
  readonly timeStamp: VerifiedTimeStamp;
}

type KeptArchive = {
  /** Base64. */
  readonly cms: string;
  readonly timeStamp: KeptTimeStamp;
};

/** A verified time-stamp as it is stored: the token and the certificates of its unit's chain, base64 DER. */
type KeptTimeStamp = {
  readonly token: string;
  /** Epoch milliseconds. */
  readonly genTime: number;
  readonly policy: string;
  readonly chain: readonly string[];
};

const keep = ({ token, genTime, policy, chain }: VerifiedTimeStamp): KeptTimeStamp => ({
  token: token.toString('base64'),
  genTime,
  policy,
  chain: chain.map(({ der }) => der.toString('base64')),
});

const restore = ({ token, genTime, policy, chain }: KeptTimeStamp): VerifiedTimeStamp => {
  const [unit, ...issuers] = chain.map((der) => Certificate.parse(Buffer.from(der, 'base64')));
  if (!unit) throw new Error('a kept time-stamp has the certificate of its unit');
  return { token: Buffer.from(token, 'base64'), genTime, policy, chain: [unit, ...issuers] };
};

const restoreArchive = ({ cms, timeStamp }: KeptArchive): ArchivedSignature => ({ cms: Buffer.from(cms, 'base64'), timeStamp: restore(timeStamp) });

const resultStream = (sessionId: SessionId): StreamName => RESULTS.of(sessionId);

const signed = (kept: KeptSignature | undefined): Pick<StoredSignature, 'signature' | 'timed'> => {
  if (kept === undefined) return {};
  if (typeof kept === 'string') return { signature: kept };
  const { signature, ...timed } = kept;
  return { signature, timed };
};

/** Erases the result of a session permanently, if there ever was one: a tombstone is stored for ever. May be repeated. */
export const eraseResult = async (store: EventStore, sessionId: SessionId): Promise<void> => {
  const stream = resultStream(sessionId);
  if (await store.exists(stream)) await RESULTS.tombstone(store, stream);
};

/**
 * The streams `result-<sessionId>`, which hold all that a signature consists of, sealed: the signed bytes, the signature value, the
 * container and the signer's identity. All of it is erased together.
 */
export class SigningResults {
  constructor(
    private readonly eventStore: EventStore,
    private readonly sealer: Sealer,
    private readonly lifetimes: Lifetimes,
    private readonly clock: Clock,
  ) {}

  /** Empty when nothing was stored, or it was erased. */
  async find(sessionId: SessionId): Promise<StoredSignature> {
    return this.#open(resultStream(sessionId), await this.#load(sessionId));
  }

  /** Undefined when there is no result, or it was erased. */
  async read(sessionId: SessionId): Promise<SigningResult | undefined> {
    return (await this.find(sessionId)).result;
  }

  /** Stores the first statement of a session and answers it, also to a later call. Throws StreamTombstoned after {@link discard}. */
  async prepare(sessionId: SessionId, statement: SigningStatement): Promise<SigningStatement> {
    return this.#first(sessionId, 'StatementPrepared', statement);
  }

  /** Stores the first verified signature of a session and drops later ones. Throws StreamTombstoned after {@link discard}. */
  async sign(sessionId: SessionId, signature: string, timed?: TimedAttributes): Promise<void> {
    await this.#first<KeptSignature>(sessionId, 'SignatureVerified', timed ? { signature, ...timed } : signature);
  }

  /** Stores the first time-stamp of a signature and answers it, also to a later call. Throws StreamTombstoned after {@link discard}. */
  async stamp(sessionId: SessionId, timeStamp: VerifiedTimeStamp): Promise<VerifiedTimeStamp> {
    return restore(await this.#first(sessionId, 'SignatureStamped', keep(timeStamp)));
  }

  /** Stores the first archive time-stamp and answers it, also to a later call. Throws StreamTombstoned after {@link discard}. */
  async archive(sessionId: SessionId, { cms, timeStamp }: ArchivedSignature): Promise<ArchivedSignature> {
    const content: KeptArchive = { cms: cms.toString('base64'), timeStamp: keep(timeStamp) };
    return restoreArchive(await this.#first(sessionId, 'SignatureArchived', content));
  }

  /** Stores the first result of a session and drops later ones. Throws StreamTombstoned after {@link discard}. */
  async store(sessionId: SessionId, result: SigningResult): Promise<void> {
    await this.#first(sessionId, 'ResultKept', result);
  }

  /** Erases everything permanently; nothing can be stored later. May be repeated. */
  async discard(sessionId: SessionId): Promise<void> {
    await RESULTS.tombstone(this.eventStore, resultStream(sessionId));
  }

  /** Answers the content of the first event of the type: the given one, unless one was stored before. */
  async #first<Content extends Json>(sessionId: SessionId, type: ResultEvent['type'], content: Content): Promise<Content> {
    const stream = resultStream(sessionId);
    const { eventStore: store, clock } = this;
    const event: ResultEvent = { type, data: { sealed: this.sealer.seal(content, stream), at: clock.now() } };
    const { loaded } = await decideAndAppend<{ events: readonly RecordedEvent<ResultEvent>[]; revision: number | typeof NO_STREAM }, ResultEvent>(
      { store, clock },
      stream,
      {
        load: async (conflict) => {
          const events = await this.#load(sessionId);
          // A stream that conflicts and shows nothing has been erased by its age.
          if (conflict && events.length === 0) throw new StreamTombstoned(stream);
          return { events, revision: events.at(-1)?.revision ?? NO_STREAM };
        },
        decide: async ({ events, revision }) => {
          if (events.some((stored) => stored.type === type)) return [];
          if (revision === NO_STREAM) await RESULTS.retain(store, stream, this.lifetimes);
          return [event];
        },
      },
    );
    const stored = loaded.events.find((each) => each.type === type);
    return stored ? this.sealer.open<Content>(stored.data.sealed, stream) : content;
  }

  #load(sessionId: SessionId): Promise<readonly RecordedEvent<ResultEvent>[]> {
    return this.eventStore.read<ResultEvent>(resultStream(sessionId));
  }

  #open(stream: StreamName, events: readonly RecordedEvent<ResultEvent>[]): StoredSignature {
    const contentOf = <Content extends Json>(type: ResultEvent['type']): Content | undefined => {
      const event = events.find((each) => each.type === type);
      return event && this.sealer.open<Content>(event.data.sealed, stream);
    };
    const statement = contentOf<SigningStatement>('StatementPrepared');
    const signature = contentOf<KeptSignature>('SignatureVerified');
    const timeStamp = contentOf<KeptTimeStamp>('SignatureStamped');
    const archived = contentOf<KeptArchive>('SignatureArchived');
    const result = contentOf<SigningResult>('ResultKept');
    return {
      ...(statement && { statement }),
      ...signed(signature),
      ...(timeStamp && { timeStamp: restore(timeStamp) }),
      ...(archived && { archived: restoreArchive(archived) }),
      ...(result && { result }),
    };
  }
}
