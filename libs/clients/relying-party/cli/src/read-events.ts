/** An event of a stream (HTML Living Standard, section 9.2 "Server-sent events"). */
export interface StreamEvent {
  /** Where the stream is after it; undefined where nothing new is known. */
  readonly id: string | undefined;
  /** Undefined for a sign of life. */
  readonly event: string | undefined;
  readonly data: string;
}

/** Characters of one event, at most: a service that sends none has no end of a line either. */
const LONGEST = 100_000;

/** The events of an answer's body, signs of life among them. Throws at an event that is too long. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent, void, void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      yield eventIn(text.slice(0, end));
      text = text.slice(end + 2);
    }
    if (text.length > LONGEST) throw new Error('an event of the stream is too long');
  }
}

const eventIn = (block: string): StreamEvent => {
  let [id, event, data]: [string | undefined, string | undefined, string] = [undefined, undefined, ''];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ');
    const [name, value] = [line.slice(0, colon), line.slice(colon + 2)];
    if (name === 'id') id = value;
    else if (name === 'event') event = value;
    else if (name === 'data') data += value;
  }
  return { id, event, data };
};
