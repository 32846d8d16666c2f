import { withoutDeception } from '#kernel/browser';

import { sentenceParts } from './sentence.js';

type Child = Node | string | undefined | false;
type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

/** Makes an element. Text children become text nodes and functions become listeners: there is no way to pass markup. */
export const el = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
};

/** Makes an SVG element. */
export const svgEl = (tag: string, attributes: Attributes = {}, ...children: readonly Child[]): SVGElement => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
};

/** A text of another party, isolated from the writing direction of the words around it. */
export const foreignText = (text: string): HTMLElement => el('bdi', {}, withoutDeception(text));

/** A name of another party, isolated in the same way. */
export const foreignName = (name: string): HTMLElement => {
  const element = foreignText(name);
  element.className = 'foreign-name';
  return element;
};

/** The template with the given nodes in its slots. */
export const sentenceNodes = (template: string, values: Readonly<Record<string, Node | string>>): DocumentFragment => {
  const fragment = document.createDocumentFragment();
  for (const part of sentenceParts(template)) {
    fragment.append('text' in part ? part.text : (values[part.slot] ?? ''));
  }
  return fragment;
};

const setAttributes = (element: Element, attributes: Attributes): void => {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
};

const append = (element: Element, children: readonly Child[]): void => {
  for (const child of children) if (child !== undefined && child !== false) element.append(child);
};
