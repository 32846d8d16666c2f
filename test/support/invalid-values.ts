import { startsProcesses } from './shared-service.js';

/** Values that are no string, as they stand in JSON, for an optional field: there null counts as absent (specification/conventions.md#nulls-and-lengths). */
export const WRONG_STRINGS: readonly [string, unknown][] = [
  ['a number', 1],
  ['a boolean', true],
  ['an array', ['x']],
  ['an object', { x: 1 }],
];

/** The same for a required field. */
export const NOT_STRINGS: readonly [string, unknown][] = [['null', null], ...WRONG_STRINGS];

/** Values that are no boolean, for an optional field. */
export const NOT_BOOLEANS: readonly [string, unknown][] = [
  ['a string', 'true'],
  ['a number', 1],
  ['an array', [true]],
];

/** Bodies that are no JSON object; each as it is sent. */
export const NOT_OBJECTS: readonly [string, string | Buffer][] = [
  ['nothing', ''],
  ['a blank', ' '],
  ['a number', '1'],
  ['null', 'null'],
  ['a string', '"x"'],
  ['an array', '[]'],
  ['an array around the object', '[{}]'],
  ['half an object', '{"code": '],
  ['a trailing comma', '{"a": 1,}'],
  ['single quotes', "{'a': 1}"],
  ['a form', 'code=1&code_verifier=2'],
  ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['10,000 open brackets', '['.repeat(10_000)],
  ['two objects', '{}{}'],
];

/** Content types other than JSON. */
export const OTHER_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonx',
  'text/json',
  'nonsense',
  '',
];

/** Text that shows something else than it is, or breaks a line (specification/conventions.md#text-that-can-deceive). */
export const DECEIVING_TEXTS: readonly [string, string][] = [
  ['a line feed', 'Pay\nnothing'],
  ['a NUL', 'Pay\u0000nothing'],
  ['an escape', 'Pay\u001b[2Jnothing'],
  ['DEL', 'Pay\u007fnothing'],
  ['a C1 control', 'Pay\u0085nothing'],
  ['a right-to-left override', 'Pay\u202enothing'],
  ['a left-to-right isolate', 'Pay\u2066nothing'],
  ['a pop directional formatting', 'Pay\u202cnothing'],
];

export const LONE_SURROGATES: readonly [string, string][] = [
  ['a high surrogate alone', 'x\ud800'],
  ['a low surrogate alone', '\udc00x'],
  ['surrogates in the wrong order', '\udc00\ud800'],
];

/** One code point, two UTF-16 units, four bytes. */
export const WIDE = '𝒳';

/** Ids of sessions that cannot exist. */
export const UNKNOWN_SESSION = '00000000-0000-4000-8000-000000000000';
export const NOT_UUIDS = [
  ...[
    '1',
    'x',
    'null',
    '..',
    '%2e%2e',
    `${UNKNOWN_SESSION}0`,
    UNKNOWN_SESSION.replaceAll('-', ''),
    `${UNKNOWN_SESSION}%0a`,
    "'--",
    'x'.repeat(5000),
    '%F0%9F%98%80',
  ],
  // A gateway answers a path that does not decode itself.
  ...(startsProcesses ? ['%00', '%zz'] : []),
];
