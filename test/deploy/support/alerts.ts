import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { CHART } from './chart.ts';

export const ROOT = join(import.meta.dirname, '../../..');
export const ALERTS = join(CHART, 'files/alerts');
export const TESTS = join(ROOT, 'deploy/observability');

export interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: { readonly severity?: string };
  readonly annotations?: { readonly summary: string; readonly runbook_url: string };
}

export const rulesIn = (path: string): readonly Rule[] =>
  (parse(readFileSync(path, 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules);

const WORDS = new Set(['by', 'or', 'and', 'unless', 'offset', 'le', 'on', 'without']);

/** The metrics that an expression of PromQL names; those of a histogram by its name. */
export const metricsOf = (expression: string): readonly string[] => {
  const bare = expression
    .replaceAll(/\{[^}]*\}/g, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(by|without|on)\s*\([^)]*\)/g, ' ')
    .replaceAll(/\b\d+(\.\d+)?[smhd]?\b/g, ' ');
  const names = [...bare.matchAll(/[a-zA-Z_:][a-zA-Z0-9_:]*(?!\s*\(|[a-zA-Z0-9_:])/g)].map(([name]) => name);
  return names.filter((name) => !WORDS.has(name)).map((name) => name.replace(/(?<=_(?:seconds|writes))_(count|bucket|sum)$/, ''));
};
