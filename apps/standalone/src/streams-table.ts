import type { AnyStreams } from '#engines/event-store';

const BEGIN = '<!-- Generated from the declarations of the streams by `npm run docs:generate`. -->';
const END = '<!-- End of the generated part. -->';

/** The page with the table of all streams between its two marks. Throws an Error for a page without them. */
export const withStreamsTable = (page: string, streams: readonly AnyStreams[]): string => {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error('the page has no marks for the table of streams');
  return `${page.slice(0, begin)}${BEGIN}\n\n${tableOf(streams)}\n\n${page.slice(end)}`;
};

const tableOf = (streams: readonly AnyStreams[]): string =>
  [
    '| Streams | Appended to by | Events, version | Kept | Sealed values | Guarded events |',
    '|---|---|---|---|---|---|',
    ...streams.map(({ category, terms }) => {
      const { owner, ids, events, sealed, guarded } = terms;
      const types = [...events.types];
      return `| ${[
        ids.map((id) => `\`${category}-${id}\``).join(', '),
        `\`${owner}\``,
        `${types.join(', ')}; ${events.version}`,
        kept(terms),
        sealed ? 'yes' : '',
        guarded.length === types.length ? 'all' : guarded.join(', '),
      ].join(' | ')} |`;
    }),
  ].join('\n');

const kept = ({ retention, watched }: AnyStreams['terms']): string => {
  if (!retention) return watched ? 'for ever; a process notices a loss' : 'for ever';
  const { maxAge, maxCount, truncatedBefore, tombstoned } = retention;
  return [
    ...(maxAge === undefined ? [] : [typeof maxAge === 'number' ? `${maxAge} s` : 'an age of its own for each stream']),
    ...(maxCount === undefined ? [] : [maxCount === 1 ? 'the newest event' : `the newest ${maxCount} events`]),
    ...(truncatedBefore ? [`truncated before ${truncatedBefore.join(', ')}`] : []),
    ...(tombstoned === undefined ? [] : [`tombstoned ${tombstoned}`]),
  ].join('; ');
};
