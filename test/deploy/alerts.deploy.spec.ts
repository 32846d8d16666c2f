import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

import { Metrics } from '#telemetry';

import { ALERTS, metricsOf, ROOT, rulesIn, TESTS } from './support/alerts.ts';
import { CHART, ofKind, render } from './support/chart.ts';

const RUNBOOKS = join(ROOT, 'docs/runbooks');
const METRICS = readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8');

const rules = readdirSync(ALERTS).flatMap((file) => rulesIn(join(ALERTS, file)));
const alerts = rules.flatMap((rule) => (rule.alert === undefined ? [] : [{ ...rule, alert: rule.alert }]));
const recorded = new Set(rules.flatMap(({ record }) => record ?? []));
const documented = new Set([...METRICS.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, names]) => [...names!.matchAll(/`(\w+)`/g)].map(([, name]) => name)));

/** How long promtool may take on a busy machine, in milliseconds. */
const PROMTOOL = 600_000;

const promtool = (...given: readonly string[]): string => execFileSync('promtool', given, { cwd: TESTS, encoding: 'utf8', stdio: 'pipe' });

describe('the alerts', () => {
  it(
    'are rules that Prometheus accepts',
    () => {
      for (const file of readdirSync(ALERTS)) expect(promtool('check', 'rules', join(ALERTS, file))).toContain('SUCCESS');
    },
    PROMTOOL,
  );

  it.each(readdirSync(TESTS))(
    'fire and are silent as %s says',
    (file) => {
      expect(promtool('test', 'rules', file)).toContain('SUCCESS');
    },
    PROMTOOL,
  );

  it('are each tested for firing and for silence', () => {
    const tested = readdirSync(TESTS).flatMap((file) => {
      const { tests } = parse(readFileSync(join(TESTS, file), 'utf8')) as { tests: { alert_rule_test: { alertname: string; exp_alerts: object[] }[] }[] };
      return tests.flatMap(({ alert_rule_test: [test] }) => `${test!.alertname} ${test!.exp_alerts.length > 0 ? 'fires' : 'is silent'}`);
    });
    expect([...new Set(tested)].sort()).toEqual(alerts.flatMap(({ alert }) => [`${alert} fires`, `${alert} is silent`]).sort());
  });

  it('name only metrics that docs/metrics.md lists', () => {
    const named = rules.flatMap(({ expr }) => metricsOf(expr)).filter((name) => !recorded.has(name));
    expect(named.length).toBeGreaterThan(40);
    expect([...new Set(named)].filter((name) => !documented.has(name))).toEqual([]);
  });

  it.each(alerts.map(({ alert, labels, annotations }) => [alert, labels, annotations] as const))('have a severity and a runbook: %s', (alert, labels, annotations) => {
    const page = `${alert.replaceAll(/(?<!^)(?=[A-Z])/g, '-').toLowerCase()}.md`;
    expect(annotations?.runbook_url).toBe(`RUNBOOKS/${page}`);
    expect(['page', 'ticket']).toContain(labels?.severity);
    expect(readFileSync(join(RUNBOOKS, page), 'utf8')).toMatch(new RegExp(`^# ${alert}\\b`));
  });
});

describe('the metrics behind the alerts', () => {
  const list = readFileSync(join(RUNBOOKS, 'README.md'), 'utf8');
  const moved = new Map([...list.matchAll(/^\| (\w+) \| `([^`]+)` \|$/gm)].map(([, alert, file]) => [alert!, file!]));
  /** The field in our code for each metric, by the name of the metric. */
  const fields = new Map(Object.entries(new Metrics()).map(([field, metric]) => [String((metric as { name?: unknown }).name), field]));
  const namesIn = (expression: string): readonly string[] =>
    metricsOf(expression).flatMap((name) => (recorded.has(name) ? rules.filter(({ record }) => record === name).flatMap(({ expr }) => metricsOf(expr)) : name));

  it.each(alerts.map(({ alert, expr }) => [alert, expr] as const))('are moved by a drill that the list names: %s', (alert, expr) => {
    expect(moved.get(alert)).toMatch(/^test\/drills\//);
    const text = readFileSync(join(ROOT, moved.get(alert) ?? 'no such row'), 'utf8');
    // A drill names the metric, its field, or the alert that fires.
    const words = [`'${alert}'`, ...namesIn(expr).flatMap((name) => [name, fields.get(name) ?? name])];
    expect(words.filter((word) => text.includes(word))).not.toEqual([]);
  });

  it('are listed for alerts that exist', () => {
    expect([...moved.keys()].filter((name) => !alerts.some(({ alert }) => alert === name))).toEqual([]);
  });
});

describe('docs/metrics.md', () => {
  it('lists metrics that the services have', () => {
    const own = METRICS.slice(METRICS.indexOf('## Of the services'), METRICS.indexOf('## Of others'));
    const listed = [...own.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(listed.length).toBeGreaterThan(20);
    const { registry } = new Metrics();
    expect(listed.filter((name) => registry.getSingleMetric(name!) === undefined)).toEqual([]);
  });
});

describe('the runbooks', () => {
  const pages = readdirSync(RUNBOOKS).filter((page) => page !== 'README.md');

  it.each(pages)('say what it means, where to look, what to do, and when it is over: %s', (page) => {
    const text = readFileSync(join(RUNBOOKS, page), 'utf8');
    expect(text.split(/^## /m).map((part) => part.split('\n')[0])).toEqual([expect.stringMatching(/^# /), 'Look here', 'Do this', 'It is over when']);
  });

  it('are all in the list', () => {
    const list = readFileSync(join(RUNBOOKS, 'README.md'), 'utf8');
    expect(pages.filter((page) => !list.includes(`(${page})`))).toEqual([]);
  });

  it.each(['store-restored', 'kafka-loss', 'redis-loss', 'postgresql-loss', 'key-rotation-and-leak', 'erasure', 'dead-letters', 'scavenge-overdue', 'upgrade-and-rollback', 'regional-loss'])(
    'exist for %s',
    (page) => {
      expect(existsSync(join(RUNBOOKS, `${page}.md`))).toBe(true);
    },
  );
});

describe('the chart', () => {
  const objects = render('minimal-values.yaml', { 'monitoring.rules.runbooks': 'https://wiki.example.com/runbooks' });

  it('hands every alert to the operator of Prometheus, with the address of its runbook', () => {
    const given = ofKind(objects, 'PrometheusRule').flatMap(({ spec }) => (spec.groups as { rules: typeof alerts }[]).flatMap((group) => group.rules));
    const urls = given.filter(({ alert }) => alert).map(({ annotations }) => annotations?.runbook_url);
    expect(urls.sort()).toEqual(alerts.map(({ annotations }) => annotations!.runbook_url.replace('RUNBOOKS', 'https://wiki.example.com/runbooks')).sort());
  });

  it('hands the dashboards to Grafana, and they name only metrics that docs/metrics.md lists', () => {
    const files = readdirSync(join(CHART, 'files/dashboards'));
    const [map] = ofKind(objects, 'ConfigMap').filter(({ metadata }) => metadata.labels['grafana_dashboard'] === '1');
    expect(Object.keys(map!.data!)).toEqual(files);
    const targets = Object.values(map!.data!).flatMap((text) => (JSON.parse(text) as { panels: { targets: { expr: string }[] }[] }).panels.flatMap((panel) => panel.targets));
    expect(targets.length).toBeGreaterThan(10);
    expect(targets.flatMap(({ expr }) => metricsOf(expr)).filter((name) => !documented.has(name))).toEqual([]);
  });
});
