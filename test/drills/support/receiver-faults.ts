import type { Behave } from './webhook-receiver.js';

/** Sooner than the service's time-out. Milliseconds. */
const TRICKLE = 200;
const HUGE = 10_000_000;

/** Once for each message; then it is taken. */
export const atFirst =
  (fault: Behave, then: Behave): Behave =>
  (exchange) =>
    (exchange.attempt === 1 ? fault : then)(exchange);

export const hangs: Behave = () => false;

export const answers =
  (status: number, headers: Readonly<Record<string, string>> = {}): Behave =>
  ({ response }) => {
    response.writeHead(status, headers).end('an ignored body');
    return status >= 200 && status < 300;
  };

/** Headers, byte by byte, without an end. */
export const slowLoris: Behave = ({ response }) => {
  const { socket } = response;
  const text = `HTTP/1.1 200 OK\r\nX-Slow: ${'x'.repeat(10_000)}`;
  let sent = 0;
  const timer = setInterval(() => socket?.write(text.charAt(sent++)), TRICKLE);
  socket?.on('error', () => undefined).once('close', () => clearInterval(timer));
  return false;
};

/** 200 at once; then a body, byte by byte, without an end. The status has been sent, so the message counts as delivered. */
export const slowBody: Behave = ({ response }) => {
  response.writeHead(200).flushHeaders();
  const timer = setInterval(() => response.write('x'), TRICKLE);
  response.once('close', () => clearInterval(timer));
  return true;
};

export interface HugeBody {
  readonly behave: Behave;
  /** How often the whole body went out. */
  readonly whole: () => number;
}

/** 200 and ten million bytes. */
export const hugeBody = (): HugeBody => {
  let whole = 0;
  const content = Buffer.alloc(HUGE, 'x');
  const behave: Behave = ({ response }) => {
    response.writeHead(200, { 'content-length': HUGE });
    response.once('finish', () => whole++).end(content);
    return true;
  };
  return { behave, whole: () => whole };
};

/** Breaks the connection off. */
export const resets: Behave = ({ request }) => {
  request.socket.resetAndDestroy();
  return false;
};
