/** A validation report as a test reads it: texts, references and ids of elements by their local names. */
export interface ReadReport {
  readonly texts: (name: string) => readonly string[];
  readonly references: (name: string) => readonly string[];
  /** The ids of the validation objects of that type. */
  readonly objects: (type: string) => readonly string[];
}

const TAG = /<(\/?)([\w:]+)((?: [\w:]+="[^"<]*")*)(\/?)>/g;
const ELEMENT = String.raw`<\w+:NAME(?: [^>]*)?>([^<]*)<`;

/** Throws an Error for XML whose elements are not closed in order, whose texts hold marks of XML, or that refers to an object that it does not hold. */
export const readReport = (xml: string): ReadReport => {
  const body = xml.replace(/^<\?xml version="1.0" encoding="UTF-8"\?>\n/, '');
  const open: string[] = [];
  const rest = body.replaceAll(TAG, (_, closing: string, name: string, __: string, empty: string) => {
    if (closing && open.pop() !== name) throw new Error(`</${name}> closes another element`);
    if (!closing && !empty) open.push(name);
    return '';
  });
  if (open.length > 0) throw new Error(`<${open.join('><')}> stays open`);
  if (/[<>]|&(?!(amp|lt|gt|quot|#9|#10|#13);)/.test(rest)) throw new Error('a mark of XML in a text');

  const texts = (name: string): readonly string[] => [...body.matchAll(new RegExp(ELEMENT.replace('NAME', name), 'g'))].map(([, text = '']) => text);
  const references = (name: string): readonly string[] =>
    [...body.matchAll(new RegExp(String.raw`<vr:${name} VOReference="([^"]*)"`, 'g'))].flatMap(([, ids = '']) => ids.split(' '));
  const ids = [...body.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);
  if (new Set(ids).size !== ids.length) throw new Error('an id stands twice');
  for (const id of references(String.raw`\w+`)) if (!ids.includes(id)) throw new Error(`a reference to ${id}, which is not there`);
  const objects = (type: string): readonly string[] =>
    [...body.matchAll(new RegExp(`<vr:ValidationObject id="([^"]*)"><vr:ObjectType>urn:etsi:019102:validationObject:${type}<`, 'g'))].map(
      ([, id = '']) => id,
    );
  return { texts, references, objects };
};
