import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { panel, type Series } from './chart.ts';
import { page } from './html.ts';

const FILE = join(import.meta.dirname, '../../deploy/helm/countersign/files/dashboards/countersign.json');

/** The parts of the chart's dashboard that are drawn here. */
interface Dashboard {
  readonly title: string;
  readonly panels: readonly {
    readonly title: string;
    readonly fieldConfig: { readonly defaults: { readonly unit: string } };
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
}

/** Answers the series of an expression of PromQL. */
export type Query = (
  expression: string,
) => Promise<readonly { readonly labels: Readonly<Record<string, string>>; readonly points: Series['points'] }[]>;

/** The dashboard of the chart as a page, drawn from the answers to its queries. */
export const dashboardPage = async (query: Query): Promise<string> => {
  const { title, panels } = JSON.parse(await readFile(FILE, 'utf8')) as Dashboard;
  const drawn = await Promise.all(
    panels.map(async ({ title: name, fieldConfig, targets }) => {
      const series = await Promise.all(
        targets.map(async ({ expr, legendFormat }) => {
          const found = await query(expr);
          return found.map(({ labels, points }) => ({ name: legend(legendFormat, labels), points }));
        }),
      );
      return panel(name, fieldConfig.defaults.unit, series.flat());
    }),
  );
  return page(title, `<main>${drawn.join('\n')}</main>`);
};

/** `{{job}} of {{route}}` with the labels of a series. */
const legend = (format: string, labels: Readonly<Record<string, string>>): string =>
  format.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_whole, label: string) => labels[label] ?? '');

/** Prometheus' answer to a query over a range. */
interface Found {
  readonly data: {
    readonly result: readonly { readonly metric: Readonly<Record<string, string>>; readonly values: readonly [number, string][] }[];
  };
}

/** Points of a line. */
const POINTS = 120;

/** Asks a Prometheus about the last minutes. Returns no series for an answer that it cannot read. */
export const askPrometheus = (url: string, { minutes, now }: { readonly minutes: number; readonly now: number }): Query => {
  return async (expression) => {
    const end = now / 1_000;
    const range = { query: expression, start: String(end - 60 * minutes), end: String(end), step: String(Math.max(1, (60 * minutes) / POINTS)) };
    const answer = await fetch(`${url}/api/v1/query_range?${new URLSearchParams(range)}`);
    if (!answer.ok) return [];
    const { data } = (await answer.json()) as Found;
    return data.result.map(({ metric, values }) => ({ labels: metric, points: values.map(([at, value]) => [at, Number(value)] as const) }));
  };
};
