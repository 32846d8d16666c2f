import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { describe, expect, it } from '@jest/globals';

import { readAnswer } from './stored-record.js';

const ID = '89abcdef-0123-4567-89ab-cdef01234567';

/** An event as the generated classes write it, the position of the log beyond what a double holds. */
const recorded = () => {
  const id = new shared.UUID();
  id.setString(ID);
  const stream = new shared.StreamIdentifier();
  stream.setStreamName(Buffer.from('session-õ'));
  const record = new streams.ReadResp.ReadEvent.RecordedEvent();
  record.setId(id);
  record.setStreamIdentifier(stream);
  record.setStreamRevision('300');
  record.setPreparePosition('17');
  record.setCommitPosition('9223372036854775809');
  record.getMetadataMap().set('type', 'SessionCreated').set('created', '17900000000000000').set('content-type', 'application/json');
  record.setData(Buffer.from('{"name":"Õie"}'));
  record.setCustomMetadata(Buffer.from('{"v":1}'));
  return record;
};

const answerWith = (record: ReturnType<typeof recorded>): Uint8Array => {
  const event = new streams.ReadResp.ReadEvent();
  event.setEvent(record);
  event.setCommitPosition('17');
  const answer = new streams.ReadResp();
  answer.setEvent(event);
  // As it comes from the network: a part of a larger piece of memory.
  return Buffer.concat([Buffer.from('before'), answer.serializeBinary(), Buffer.from('after')]).subarray(6, -5);
};

describe('an answer to a read', () => {
  it('has the event that the generated classes have written', () => {
    expect(readAnswer(answerWith(recorded()))).toEqual({
      isStreamNotFound: false,
      record: {
        streamId: 'session-õ',
        id: ID,
        revision: 300n,
        type: 'SessionCreated',
        data: { name: 'Õie' },
        metadata: { v: 1 },
        position: { commit: 9223372036854775809n },
      },
    });
  });

  it('may name the id by two signed halves', () => {
    const record = recorded();
    const halves = new shared.UUID.Structured();
    halves.setMostSignificantBits(String(BigInt.asIntN(64, 0x89abcdef01234567n)));
    halves.setLeastSignificantBits(String(BigInt.asIntN(64, 0x89abcdef01234567n)));
    const id = new shared.UUID();
    id.setStructured(halves);
    record.setId(id);
    expect(readAnswer(answerWith(record)).record?.id).toBe(ID);
  });

  it('leaves zero out, as the protocol does, and metadata that are none', () => {
    const record = recorded();
    record.setStreamRevision('0');
    record.setCustomMetadata('');
    const { record: read } = readAnswer(answerWith(record));
    expect(read).toMatchObject({ revision: 0n });
    expect(read).not.toHaveProperty('metadata');
  });

  it('keeps bytes that do not claim to be JSON, and metadata that are no JSON', () => {
    const record = recorded();
    record.getMetadataMap().set('content-type', 'application/octet-stream');
    record.setCustomMetadata(Buffer.from('{'));
    const { data, metadata } = readAnswer(answerWith(record)).record!;
    expect([data, metadata].map((bytes) => Buffer.from(bytes as Uint8Array).toString())).toEqual(['{"name":"Õie"}', '{']);
  });

  it('is refused when its data claim to be JSON and are not, and when it is cut off', () => {
    const record = recorded();
    record.setData(Buffer.from('{'));
    expect(() => readAnswer(answerWith(record))).toThrow(SyntaxError);
    expect(() => readAnswer(answerWith(recorded()).subarray(0, 40))).toThrow(Error);
  });

  it('says that there is no stream, and has no event where the server tells only its place', () => {
    const missing = new streams.ReadResp();
    missing.setStreamNotFound(new streams.ReadResp.StreamNotFound());
    expect(readAnswer(missing.serializeBinary())).toEqual({ isStreamNotFound: true, record: undefined });
    const last = new streams.ReadResp();
    last.setLastStreamPosition('9');
    expect(readAnswer(last.serializeBinary())).toEqual({ isStreamNotFound: false, record: undefined });
  });
});
