import { type Metric, type OpenMetricsContentType, Registry } from 'prom-client';

export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

/** The metrics in the format that the header `Accept` prefers: OpenMetrics with exemplars where it is named, otherwise Prometheus' text format. */
export const exposition = async (registry: Registry, accept: string | undefined): Promise<Exposition> => {
  if (!prefersOpenMetrics(accept)) return { contentType: registry.contentType, text: await registry.metrics() };
  const shown = new Registry<OpenMetricsContentType>();
  shown.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  // prom-client renames the counters that it shows as OpenMetrics, so it gets objects of their own, over the same values.
  for (const metric of registry.getMetricsAsArray()) shown.registerMetric(Object.create(metric) as Metric);
  return { contentType: shown.contentType, text: await shown.metrics() };
};

/** RFC 9110 section 12.5.1. A range that names no format, such as the one of browsers, gets the text format. */
const prefersOpenMetrics = (accept = ''): boolean => {
  const ranges = accept.split(',').map((range) => range.split(';').map((part) => part.trim().toLowerCase()));
  const weight = (type: string, versions: readonly string[]): number =>
    Math.max(0, ...ranges.filter(([name, ...parameters]) => name === type && isOfVersion(parameters, versions)).map(weightOf));
  const open = weight('application/openmetrics-text', ['1.0.0', '0.0.1']);
  return open > 0 && open >= weight('text/plain', ['0.0.4', '1.0.0']);
};

const isOfVersion = (parameters: readonly string[], versions: readonly string[]): boolean => {
  const version = parameters.find((parameter) => parameter.startsWith('version='));
  return version === undefined || versions.includes(version.slice('version='.length));
};

/** The weight `q` of a range: 1 if none is given, 0 if it is not a number. */
const weightOf = (range: readonly string[]): number => {
  const weight = range.find((part) => part.startsWith('q='));
  return weight === undefined ? 1 : Number.parseFloat(weight.slice(2)) || 0;
};
