/** An element of XML with its namespace. Text between child elements is dropped, except in `text`. */
export interface XmlElement {
  readonly namespace: string;
  readonly name: string;
  /** By their names as written; those without a prefix have no namespace. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The character data directly inside, in one piece. */
  readonly text: string;
}

/** The bytes are no XML of the part that is read here. The message says why. */
export class UnreadableXml extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableXml';
  }
}

const MAX_DEPTH = 32;
const MAX_ELEMENTS = 10_000;
const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

const NAME = String.raw`[\p{L}_][\p{L}\p{N}._-]*(?::[\p{L}_][\p{L}\p{N}._-]*)?`;
const DECLARATION = /^<\?xml\s[^<>]*\?>/;
const COMMENT = /<!--(?!-?>)(?:(?!--)[^])*-->/y;
const CDATA = /<!\[CDATA\[((?:(?!\]\]>)[^])*)\]\]>/y;
const END_TAG = new RegExp(String.raw`</(${NAME})\s*>`, 'uy');
const START_TAG = new RegExp(String.raw`<(${NAME})((?:\s+${NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(/?)>`, 'uy');
const ATTRIBUTE = new RegExp(String.raw`(${NAME})\s*=\s*(?:"([^"<]*)"|'([^'<]*)')`, 'gu');
const TEXT = /[^<]+/y;

interface Open {
  readonly tag: string;
  readonly element: XmlElement & { readonly children: XmlElement[]; text: string };
  readonly texts: string[];
  /** Prefix to namespace. */
  readonly scope: ReadonlyMap<string, string>;
}

/**
 * Reads an XML document in UTF-8: elements, attributes, namespaces, character data and the five entities of XML itself. A DOCTYPE, another entity, a
 * processing instruction and another encoding are refused, so nothing outside the bytes can matter. Throws {@link UnreadableXml}.
 */
export const readXml = (bytes: Uint8Array): XmlElement => {
  const source = decode(bytes).replace(/^\uFEFF/, '');
  let at = DECLARATION.exec(source)?.[0].length ?? 0;
  const stack: Open[] = [];
  let root: XmlElement | undefined;
  let elements = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found) at += found[0].length;
    return found;
  };
  while (at < source.length) {
    const inside = stack.at(-1);
    const text = take(TEXT) ?? undefined;
    if (text) {
      if (inside) inside.texts.push(withoutEntities(text[0]));
      else if (text[0].trim() !== '') throw new UnreadableXml('text outside the element');
      continue;
    }
    if (take(COMMENT)) continue;
    const data = inside && take(CDATA);
    if (data) {
      inside.texts.push(data[1] ?? '');
      continue;
    }
    const end = take(END_TAG);
    if (end) {
      if (!inside || inside.tag !== end[1]) throw new UnreadableXml('an end without its beginning');
      closed(inside);
      stack.pop();
      continue;
    }
    const start = take(START_TAG);
    if (!start || (root && !inside)) throw new UnreadableXml('something that is no element, such as a DOCTYPE');
    elements += 1;
    if (stack.length >= MAX_DEPTH || elements > MAX_ELEMENTS) throw new UnreadableXml('too many elements');
    const opened = begun(start[1] ?? '', start[2] ?? '', inside?.scope);
    inside?.element.children.push(opened.element);
    root ??= opened.element;
    if (start[3] === '') stack.push(opened);
  }
  if (!root || stack.length > 0) throw new UnreadableXml('the element has no end');
  return root;
};

const decode = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UnreadableXml('not in UTF-8');
  }
};

const begun = (tag: string, written: string, outer: ReadonlyMap<string, string> | undefined): Open => {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single] of written.matchAll(ATTRIBUTE)) {
    if (attributes.has(name)) throw new UnreadableXml('an attribute twice');
    attributes.set(name, withoutEntities(double ?? single ?? ''));
  }
  const scope = new Map(outer ?? [['xml', XML_NAMESPACE]]);
  for (const [name, value] of attributes) {
    if (name === 'xmlns') scope.set('', value);
    else if (name.startsWith('xmlns:')) scope.set(name.slice('xmlns:'.length), value);
  }
  const [prefix, local] = tag.includes(':') ? (tag.split(':') as [string, string]) : ['', tag];
  const namespace = scope.get(prefix);
  if (namespace === undefined && prefix !== '') throw new UnreadableXml('a prefix without its namespace');
  const element = {
    namespace: namespace ?? '',
    name: local,
    attributes,
    children: [] as XmlElement[],
    text: '',
  };
  return { tag, element, texts: [], scope };
};

/** What was read of an element does not change any more. */
const closed = ({ element, texts }: Open): void => {
  element.text = texts.join('');
  Object.freeze(element.children);
};

const withoutEntities = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w+));|&/g, (whole, decimal?: string, hex?: string, name?: string) => {
    const code = decimal === undefined ? (hex === undefined ? undefined : Number.parseInt(hex, 16)) : Number(decimal);
    const character = code === undefined ? ENTITIES[name ?? ''] : code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
    if (character === undefined) throw new UnreadableXml(`the entity ${whole.slice(0, 20)}`);
    return character;
  });
