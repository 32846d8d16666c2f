import { currentTraceId, inTrace } from '#kernel';

import type { LogFields } from './log.js';
import { PinoLog } from './pino-log.js';

const lines: Record<string, unknown>[] = [];
/** The number of lines at each flush. */
const flushed: number[] = [];
const output = {
  write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  flush: () => void flushed.push(lines.length),
};
const log = new PinoLog('info', output);

beforeEach(() => {
  lines.length = 0;
  flushed.length = 0;
});

describe('the log', () => {
  it('holds the listed fields', () => {
    log.info('request', { requestId: 'r', method: 'GET', route: '/x/:id', status: 200, ms: 1.5, sessionId: 's', clientId: 'c' });
    expect(lines).toEqual([
      {
        level: 30,
        time: expect.any(String),
        msg: 'request',
        requestId: 'r',
        method: 'GET',
        route: '/x/:id',
        status: 200,
        ms: 1.5,
        sessionId: 's',
        clientId: 'c',
      },
    ]);
  });

  it('holds the id of the trace in which it is written', () => {
    const traced = new PinoLog('info', output, currentTraceId);
    inTrace('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', () => traced.info('request', {}));
    traced.info('request', {});
    expect(lines.map(({ traceId }) => traceId)).toEqual(['4bf92f3577b34da6a3ce929d0e0e4736', undefined]);
  });

  it('holds no other field, and no object in a field', () => {
    log.info('request', { headers: { authorization: 'hunter2' }, query: '?t=hunter2', reason: { secret: 'hunter2' } } as unknown as LogFields);
    expect(JSON.stringify(lines)).not.toContain('hunter2');
    expect(Object.keys(lines[0] ?? {})).toEqual(['level', 'time', 'msg']);
  });

  it('holds the class, code and stack of an error, never its message', () => {
    log.error('request failed', { error: Object.assign(new TypeError('hunter2 is not iterable'), { code: 'E_X', cause: new Error('hunter2') }) });
    expect(JSON.stringify(lines)).not.toContain('hunter2');
    expect(lines[0]).toMatchObject({
      error: { type: 'TypeError', code: 'E_X', at: expect.arrayContaining([expect.stringContaining('pino-log.spec')]), cause: { type: 'Error' } },
    });
  });

  it('holds no fields of the process or the machine', () => {
    log.warn('x');
    expect(Object.keys(lines[0] ?? {})).toEqual(['level', 'time', 'msg']);
  });

  it('writes warnings and errors at once, with all lines before them', () => {
    log.info('one');
    expect(flushed).toEqual([]);
    log.warn('two');
    log.error('three');
    expect(flushed).toEqual([2, 3]);
  });

  it('leaves out lines below its level', () => {
    log.debug('poll', { requestId: 'r' });
    expect(lines).toEqual([]);
  });
});
