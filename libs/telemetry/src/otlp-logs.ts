import { hostname } from 'node:os';

/** What becomes a log record of OpenTelemetry. */
export interface LogRecord {
  /** The same each time that the record is sent (`log.record.uid`). */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly eventName: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** A text for a person or another program. */
  readonly body: string;
}

/** The body of a request of OTLP over HTTP, as JSON, for the path `/v1/logs`. The packages are loaded here, when they are needed (ADR 0040). */
export const otlpLogs = async (records: readonly LogRecord[], serviceName: string): Promise<Uint8Array> => {
  const [{ JsonLogsSerializer }, { resourceFromAttributes }, { SeverityNumber }] = await Promise.all([
    import('@opentelemetry/otlp-transformer'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/api'),
  ]);
  const resource = resourceFromAttributes({ 'service.name': serviceName, 'service.instance.id': `${hostname()}-${process.pid}` });
  const instrumentationScope = { name: 'countersign' };
  const body = JsonLogsSerializer.serializeRequest(
    records.map(({ id, at, eventName, attributes, body }) => ({
      hrTime: hrTimeOf(at),
      hrTimeObserved: hrTimeOf(at),
      severityNumber: SeverityNumber.INFO,
      severityText: 'INFO',
      eventName,
      body,
      attributes: { 'log.record.uid': id, ...attributes },
      resource,
      instrumentationScope,
      droppedAttributesCount: 0,
    })),
  );
  if (!body) throw new Error('the log records could not be written as OTLP');
  return body;
};

/** Seconds and nanoseconds. */
const hrTimeOf = (milliseconds: number): [number, number] => [Math.floor(milliseconds / 1_000), (milliseconds % 1_000) * 1_000_000];
