import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

/** An event as a reader of the stream gets it. */
export interface ReadEvent {
  readonly id: string | undefined;
  /** Undefined for an event that only carries an id. */
  readonly event: string | undefined;
  readonly data: unknown;
}

/** A request over a connection of its own. */
export const getOver = async (url: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> => {
  const [answer] = (await once(get(url, { agent: false, headers }), 'response')) as [IncomingMessage];
  return answer;
};

export const textOf = async (answer: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

/** The stream of an answer, read event by event. */
export class EventReader {
  /** Of the last event with one. */
  lastId: string | undefined;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #decoder = new TextDecoder();
  #text = '';

  constructor(private readonly answer: IncomingMessage) {
    this.#chunks = (answer as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  /** The next event; undefined at the end of the stream. Rejects when the connection breaks. */
  async next(): Promise<ReadEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return this.#read(block);
      }
      const { done, value } = await this.#chunks.next();
      if (done) return undefined;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  async take(count: number): Promise<readonly (ReadEvent | undefined)[]> {
    const events = [];
    for (let number = 0; number < count; number++) events.push(await this.next());
    return events;
  }

  close(): void {
    this.answer.destroy();
  }

  #read(block: string): ReadEvent {
    const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
    const [id, data] = [fields.get('id'), fields.get('data')];
    this.lastId = id ?? this.lastId;
    return { id, event: fields.get('event'), data: data === undefined ? undefined : (JSON.parse(data) as unknown) };
  }
}
