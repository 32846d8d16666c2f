import { mutateBytes } from './mutate-bytes.js';
import type { Random } from './random.js';

/** One value of DER: its identifier octet, and its members or its content. */
interface Node {
  tag: number;
  members?: Node[];
  content: Buffer;
}

const CONSTRUCTED = 0x20;
const OCTET_STRING = 0x04;
const SEQUENCE = 0x30;

type Change = (siblings: Node[], at: number, random: Random) => void;

const CHANGES: readonly Change[] = [
  (siblings, at) => siblings.splice(at, 1),
  (siblings, at) => siblings.splice(at, 0, siblings[at] as Node),
  (siblings, at, random) => siblings.push(...siblings.splice(random.below(siblings.length), 1, siblings[at] as Node)),
  (siblings, at, random) => {
    const node = siblings[at] as Node;
    siblings[at] = { ...node, tag: random.pick([0x02, 0x04, 0x05, 0x06, 0x0c, 0x13, 0x17, 0x18, 0x30, 0x31, 0x80, 0xa0, 0xa1, node.tag ^ 1]) };
  },
  (siblings, at, random) => {
    const { tag, ...node } = siblings[at] as Node;
    siblings[at] = { tag, content: mutateBytes(Buffer.concat([encodeContent(node), Buffer.of(0)]), random) };
  },
  (siblings, at) => {
    siblings[at] = { tag: (siblings[at] as Node).tag, content: Buffer.alloc(0) };
  },
  // a member more
  (siblings, at, random) => siblings.splice(at, 0, { tag: random.pick([0x02, 0x05, 0x0c, 0xa3]), content: Buffer.of(1) }),
];

/** The DER value with that many nodes inside it changed, and all lengths around them right again. */
export const mutateDer = (der: Buffer, random: Random, changes = 1): Buffer => {
  const root = read(der);
  for (let done = 0; done < changes; done += 1) mutate(root, random);
  return encode(root);
};

const mutate = (root: Node, random: Random): void => {
  const places: { readonly siblings: Node[]; readonly at: number }[] = [];
  const visit = (siblings: Node[]): void => {
    siblings.forEach(({ members }, at) => {
      places.push({ siblings, at });
      if (members) visit(members);
    });
  };
  visit(root.members ?? []);
  const { siblings, at } = random.pick(places);
  random.pick(CHANGES)(siblings, at, random);
};

const read = (der: Buffer): Node => {
  const [node] = readAll(der);
  if (!node) throw new TypeError('DER expected');
  return node;
};

const MAX_LENGTH_BYTES = 4;

/** Undefined for bytes that are no sequence of DER values. */
const tryReadAll = (bytes: Buffer): Node[] | undefined => {
  try {
    return readAll(bytes);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};

const readAll = (bytes: Buffer): Node[] => {
  const nodes: Node[] = [];
  for (let at = 0; at < bytes.length;) {
    const [tag = 0, first = 0] = bytes.subarray(at, at + 2);
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    if (lengthBytes > MAX_LENGTH_BYTES || at + 2 + lengthBytes > bytes.length) throw new RangeError('no tag and length');
    const length = lengthBytes === 0 ? first : bytes.readUIntBE(at + 2, lengthBytes);
    const begin = at + 2 + lengthBytes;
    if (begin + length > bytes.length) throw new RangeError('longer than its parent');
    const content = bytes.subarray(begin, begin + length);
    // time-stamp tokens and OCSP responses hold DER in an OCTET STRING
    const mayNest = tag & CONSTRUCTED || (tag === OCTET_STRING && content[0] === SEQUENCE);
    const members = mayNest ? tryReadAll(content) : undefined;
    nodes.push({ tag, content, ...(members && { members }) });
    at = begin + length;
  }
  return nodes;
};

const encodeContent = ({ members, content }: Omit<Node, 'tag'>): Buffer => (members ? Buffer.concat(members.map(encode)) : content);

const encode = (node: Node): Buffer => {
  const content = encodeContent(node);
  const { length } = content;
  const bytes = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : length < 0x10000 ? [0x82, length >> 8, length & 0xff] : [];
  if (bytes.length === 0) throw new RangeError('longer than a signature can be');
  return Buffer.concat([Buffer.of(node.tag, ...bytes), content]);
};
