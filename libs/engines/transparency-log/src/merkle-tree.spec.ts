import { EMPTY_ROOT, leafHash, nodeHash } from './merkle-hashes.js';
import { isConsistent, isIncluded } from './merkle-proofs.js';
import { MerkleTree } from './merkle-tree.js';

/** The leaves and roots by which the programs of Certificate Transparency are tested (RFC 6962). */
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const treeOf = (count: number): MerkleTree => {
  const tree = new MerkleTree();
  for (let number = 0; number < count; number++) tree.append(leafHash(`leaf ${number}`));
  return tree;
};

/** Around the tiles in which the tree keeps its hashes. */
const SIZES = [1, 2, 3, 7, 8, 255, 256, 257, 511, 512, 513, 700];

describe('the tree of the history', () => {
  it('has the roots of Certificate Transparency', () => {
    const tree = new MerkleTree();
    expect(tree.root()).toEqual(EMPTY_ROOT);
    for (const [index, leaf] of LEAVES.entries()) {
      tree.append(leafHash(Buffer.from(leaf, 'hex').toString('latin1')));
      expect(tree.root().toString('hex')).toBe(ROOTS[index]);
    }
    expect(ROOTS.map((_, index) => tree.root(index + 1).toString('hex'))).toEqual(ROOTS);
  });

  it('proves each leaf in each tree, and no other one', () => {
    const tree = treeOf(700);
    for (const size of SIZES) {
      const root = tree.root(size);
      for (const index of new Set([0, 1, Math.floor(size / 2), size - 1].filter((one) => one < size))) {
        const inclusion = { index, size, leaf: tree.leaf(index), root, proof: tree.inclusionProof(index, size) };
        expect(isIncluded(inclusion)).toBe(true);
        expect(isIncluded({ ...inclusion, leaf: leafHash('another') })).toBe(false);
        expect(isIncluded({ ...inclusion, index: (index + 1) % size })).toBe(size === 1);
        expect(isIncluded({ ...inclusion, proof: [...inclusion.proof, root] })).toBe(false);
        if (size > 1) expect(isIncluded({ ...inclusion, proof: inclusion.proof.slice(1) })).toBe(false);
      }
    }
  });

  it('proves that each tree begins a larger one, and that no other one does', () => {
    const tree = treeOf(700);
    for (const from of SIZES) {
      for (const size of SIZES.filter((one) => one >= from)) {
        const consistency = {
          from: { size: from, root: tree.root(from) },
          to: { size, root: tree.root(size) },
          proof: tree.consistencyProof(from, size),
        };
        expect(isConsistent(consistency)).toBe(true);
        expect(isConsistent({ ...consistency, from: { size: from, root: leafHash('another') } })).toBe(false);
        expect(isConsistent({ ...consistency, to: { size, root: leafHash('another') } })).toBe(false);
        expect(isConsistent({ ...consistency, proof: [...consistency.proof, tree.root(1)] })).toBe(false);
        if (size > from) expect(isConsistent({ ...consistency, proof: consistency.proof.slice(1) })).toBe(false);
      }
    }
  });

  it('takes a few hashes for each level of the tree, whatever its size', () => {
    let hashes = 0;
    const tree = new MerkleTree((left, right) => {
      hashes += 1;
      return nodeHash(left, right);
    });
    const size = 100_000;
    const leaf = leafHash('leaf');
    for (let number = 0; number < size; number++) tree.append(leaf);
    const counted = (work: () => unknown): number => {
      hashes = 0;
      work();
      return hashes;
    };
    const levels = Math.ceil(Math.log2(size));
    // Within a group of eight leaves at most seven, on the way and beside it.
    const most = levels + 2 * 7;
    for (const index of [0, 1, 255, 256, 65_535, 65_536, 99_998, 99_999])
      for (const among of [size, size - 1, 99_999, 65_537].filter((one) => one > index))
        expect(counted(() => tree.inclusionProof(index, among))).toBeLessThanOrEqual(most);
    expect(counted(() => tree.root())).toBeLessThanOrEqual(most);
    expect(counted(() => tree.consistencyProof(65_537))).toBeLessThanOrEqual(2 * most);
  });

  it('has no proof of what it has not', () => {
    const tree = treeOf(3);
    expect(() => tree.inclusionProof(3)).toThrow(RangeError);
    expect(() => tree.inclusionProof(0, 4)).toThrow(RangeError);
    expect(() => tree.consistencyProof(0)).toThrow(RangeError);
    expect(() => tree.consistencyProof(3, 2)).toThrow(RangeError);
    expect(() => tree.leaf(3)).toThrow(RangeError);
    expect(() => tree.root(4)).toThrow(RangeError);
  });
});
