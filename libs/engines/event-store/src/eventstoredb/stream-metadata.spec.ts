import { NO_METADATA, withRetention, withTruncation } from './stream-metadata.js';

describe('the metadata of a stream', () => {
  it('holds the retention under the names of EventStoreDB', () => {
    expect(withRetention(NO_METADATA, { maxAge: 60, maxCount: 2 })).toBe('{"$maxAge":60,"$maxCount":2}');
    expect(withRetention(NO_METADATA, {})).toBe('{}');
  });

  it('replaces the retention and keeps everything else', () => {
    const data = { $maxAge: 60, $tb: 3, $acl: { $r: ['one'] }, own: 'yes' };
    expect(JSON.parse(withRetention({ revision: 1, data }, { maxCount: 2 }))).toEqual({ $tb: 3, $acl: { $r: ['one'] }, own: 'yes', $maxCount: 2 });
  });

  it('keeps the mark of a deleted stream to the last digit, which no JavaScript number holds', () => {
    const deleted = { revision: 0, data: JSON.parse('{"$tb":9223372036854775807}') as { $tb: number } };
    expect(withRetention(deleted, { maxAge: 60 })).toBe('{"$tb":9223372036854775807,"$maxAge":60}');
  });

  it('keeps the retention and the higher one of two truncations', () => {
    const data = { $maxAge: 60, $tb: 3, own: 'yes' };
    expect(JSON.parse(withTruncation({ revision: 1, data }, 5))).toEqual({ $maxAge: 60, $tb: 5, own: 'yes' });
    expect(JSON.parse(withTruncation({ revision: 1, data }, 2))).toEqual(data);
    expect(withTruncation(NO_METADATA, 0)).toBe('{"$tb":0}');
    const deleted = { revision: 0, data: JSON.parse('{"$tb":9223372036854775807}') as { $tb: number } };
    expect(withTruncation(deleted, 5)).toBe('{"$tb":9223372036854775807}');
  });
});
