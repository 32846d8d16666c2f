import { colour, escape, page } from './html.ts';
import type { SeenSpan } from './spans.ts';

interface Row {
  readonly span: SeenSpan;
  readonly depth: number;
}

/** The spans of a trace in the order of the page: each below its parent, by time. A span whose parent is missing is a root. */
export const rowsOf = (spans: readonly SeenSpan[]): readonly Row[] => {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const below = Map.groupBy(spans, ({ parentSpanId, spanId }) =>
    parentSpanId !== undefined && parentSpanId !== spanId && ids.has(parentSpanId) ? parentSpanId : '',
  );
  const seen = new Set<SeenSpan>();
  const walk = (parent: string, depth: number): readonly Row[] =>
    (below.get(parent) ?? [])
      .filter((span) => !seen.has(span))
      .toSorted((a, b) => a.start - b.start)
      .flatMap((span) => {
        seen.add(span);
        return [{ span, depth }, ...walk(span.spanId, depth + 1)];
      });
  return walk('', 0);
};

/** The page of one trace: a bar for each span, from its start to its end. */
export const waterfall = (traceId: string, spans: readonly SeenSpan[]): string => {
  if (spans.length === 0) return page('No such trace', '<p>It has not arrived yet, or had to make room for newer ones.</p>');
  const start = Math.min(...spans.map((span) => span.start));
  const length = Math.max(...spans.map((span) => span.end)) - start || 1;
  const services = [...new Set(spans.map(({ service }) => service))].sort();
  const rows = rowsOf(spans).map(({ span, depth }) => {
    const style = `left:${percent(span.start - start, length)};width:${percent(span.end - span.start, length)};background:${colour(services.indexOf(span.service))}`;
    return `<tr><td style="padding-left:${depth + 0.5}rem"${span.failed ? ' class="failed"' : ''}>${escape(span.name)}</td><td>${escape(span.service)}</td><td>${milliseconds(span.end - span.start)}</td><td class="lane"><div class="bar" style="${style}"></div></td><td class="details" title="${escape(detailsOf(span))}">${linksOf(span)}${escape(detailsOf(span))}</td></tr>`;
  });
  const head = '<tr><th>Work</th><th>Service</th><th>Took</th><th>When</th><th>Kind and attributes</th></tr>';
  return page(`Trace ${traceId}: ${spans.length} spans in ${milliseconds(length)}`, `<table>${head}${rows.join('\n')}</table>`);
};

/** The page that lists the traces. */
export const traceList = (traces: readonly (readonly SeenSpan[])[]): string => {
  const rows = traces.map((spans) => {
    const [first] = rowsOf(spans);
    const length = Math.max(...spans.map(({ end }) => end)) - Math.min(...spans.map(({ start }) => start));
    const at = new Date(first?.span.start ?? 0).toISOString().slice(11, 23);
    const id = spans[0]!.traceId;
    return `<tr><td>${at}</td><td><a href="/traces/${id}">${escape(first?.span.name ?? id)}</a></td><td>${spans.length}</td><td>${milliseconds(length)}</td></tr>`;
  });
  return page('Traces', `<table><tr><th>At (UTC)</th><th>Begins with</th><th>Spans</th><th>Took</th></tr>${rows.join('\n')}</table>`);
};

const linksOf = ({ links }: SeenSpan): string => links.map((id) => `<a href="/traces/${id}">led here by</a> `).join('');

const detailsOf = ({ kind, attributes }: SeenSpan): string => [kind, ...attributes.map(([key, value]) => `${key}=${value}`)].join(' ');

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(3)}%`;

const milliseconds = (time: number): string => (time < 1_000 ? `${time.toFixed(1)} ms` : `${(time / 1_000).toFixed(2)} s`);
