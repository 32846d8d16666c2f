import { readFile } from 'node:fs/promises';

import { endpointText, EVENT_TYPES, outcomeText, stateText } from './delivery-words.js';
import { en } from './messages/en.js';

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, { readonly enum?: readonly string[] }>> };
}

let document: Document;
beforeAll(async () => {
  document = JSON.parse(await readFile('docs/openapi.json', 'utf8')) as Document;
});

const valuesOf = (name: string): readonly string[] => document.components.schemas[name]?.enum ?? [];

describe('the words for webhooks', () => {
  it('name each state of a delivery that the API documents', () => {
    const states = valuesOf('DeliveryState');
    expect(states.length).toBeGreaterThan(5);
    for (const state of states) expect(stateText(en, { state })).not.toBe(state);
  });

  it('name each reason why an attempt had no answer', () => {
    const errors = valuesOf('DeliveryError');
    expect(errors.length).toBeGreaterThan(4);
    for (const error of errors) expect(outcomeText(en, { error })).not.toBe(error);
    expect(outcomeText(en, { status: 503 })).toBe('HTTP 503');
  });

  it('name each reason why an endpoint is switched off', () => {
    const reasons = valuesOf('DisabledBecause');
    expect(reasons.length).toBeGreaterThan(2);
    for (const disabledBecause of reasons) expect(endpointText(en, { enabled: false, disabledBecause })).not.toBe(disabledBecause);
    expect(endpointText(en, { enabled: true })).toBe(en.endpointOn);
    expect(endpointText(en, { enabled: true, failingSince: 1 })).toBe(en.endpointFailing);
  });

  it('name each reason why nothing is sent to an endpoint that has not proved itself', () => {
    for (const unconfirmedBecause of ['NOT_TRIED', 'NO_ANSWER', 'RIGHT_REFUSED', 'WRONG_NOT_REFUSED']) {
      const text = endpointText(en, { enabled: true, state: 'unconfirmed', unconfirmedBecause });
      expect(text).toMatch(/^Nothing is sent yet\. .+ /);
      expect(text).not.toContain(unconfirmedBecause);
    }
    expect(endpointText(en, { enabled: false, disabledBecause: 'STAFF', state: 'unconfirmed', unconfirmedBecause: 'NO_ANSWER' })).toBe(
      en.endpointOff,
    );
    expect(endpointText(en, { enabled: true, state: 'confirmed' })).toBe(en.endpointOn);
  });

  it('show beside the status why an answer proved nothing', () => {
    expect(outcomeText(en, { status: 200, error: 'wrong_signature_not_refused' })).toBe(`HTTP 200 · ${en.proofWrongNotRefused}`);
    expect(outcomeText(en, { status: 404, error: 'right_signature_refused' })).toBe(`HTTP 404 · ${en.proofRightRefused}`);
  });

  it('show a code that they do not know as it is, also one that every object has', () => {
    for (const code of ['newer', 'constructor', '__proto__']) expect(stateText(en, { state: code })).toBe(code);
  });

  it('offer each type of message that an endpoint can ask for', () => {
    expect([...EVENT_TYPES].toSorted()).toEqual(valuesOf('EventType'));
  });
});
