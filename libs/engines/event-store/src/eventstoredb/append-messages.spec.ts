import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import any from 'google-protobuf/google/protobuf/any_pb.js';

import { appendAnswer } from './append-messages.js';

const refusedWith = (typeName: string) => {
  const details = new any.Any();
  details.pack(new Uint8Array(), typeName);
  const error = new status.Status();
  error.setDetails(details);
  const answer = new streams.BatchAppendResp();
  answer.setError(error);
  return appendAnswer(answer);
};

describe('the answer to an append', () => {
  it.each(['MaximumAppendSizeExceeded', 'MaximumAppendEventSizeExceeded'])('%s says that it is too large: it is not repeated', (name) => {
    expect(refusedWith(`event_store.client.${name}`)).toEqual({ kind: 'too-large' });
  });

  it.each(['Timeout', 'SomethingNew'])('%s says nothing of the outcome', (name) => {
    expect(refusedWith(`event_store.client.${name}`)).toMatchObject({ kind: 'unknown' });
  });
});
