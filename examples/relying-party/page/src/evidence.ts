import type { SignatureEvidence } from '#clients/relying-party/browser';

import { part } from './part.js';
import { words } from './words.js';

/** Shows the signer, the time and the evidence in the container. This page only reads the container; it verifies nothing. */
export const showEvidence = (scene: HTMLElement, { signer, issuer, signingTime, timeStamp, calledGoodAt }: SignatureEvidence): void => {
  const { trustIssuer, trustStamp, trustNoStamp, trustGood, trustNotGood } = words();
  part(scene, '[data-signer]').textContent = signer;
  const at = timeStamp?.at ?? signingTime;
  part(scene, '[data-signed-at]').replaceChildren(at === undefined ? '–' : timeElement(at));
  part(scene, '[data-trust]').replaceChildren(
    item(trustIssuer, { issuer: nameElement(issuer ?? '–') }),
    item(timeStamp ? trustStamp : trustNoStamp, { authority: nameElement(timeStamp?.authority ?? '–') }),
    item(calledGoodAt === undefined ? trustNotGood : trustGood, { time: timeElement(calledGoodAt ?? 0) }),
  );
  for (const row of scene.querySelectorAll<HTMLElement>('[data-evidence]')) row.hidden = false;
};

/** A sentence with elements in the place of its words in braces. */
const item = (sentence: string, values: Readonly<Record<string, Node>>): HTMLElement => {
  const line = document.createElement('li');
  for (const piece of sentence.split(/(\{\w+\})/)) line.append(values[piece.slice(1, -1)] ?? piece);
  return line;
};

const nameElement = (name: string): HTMLElement => {
  const element = document.createElement('bdi');
  element.textContent = name;
  return element;
};

const timeElement = (at: number): HTMLTimeElement => {
  const element = document.createElement('time');
  element.dateTime = new Date(at).toISOString();
  element.textContent = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'long', timeStyle: 'long' }).format(at);
  return element;
};
