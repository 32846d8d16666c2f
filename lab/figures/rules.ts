import type { SourceTree } from './source-tree.ts';

/** A rule that was written down in several places, and the text that shows each of them. */
interface Rule {
  readonly name: string;
  readonly pattern: RegExp;
}

/** Rules of which copies were found. A copy that is spelt otherwise needs a pattern here. */
export const RULES: readonly Rule[] = [
  /** What the three ways of saving calls of the store were called while each was threaded through use cases by hand (ADR 0110). */
  {
    name: 'calls of the store that are saved by hand',
    pattern:
      /\b(?:judgeWritten|WrittenLogins|beginOnWritten|proposes?|storeTogether|inOneCommit|asRead|FoundDevice|LoadedSession|BackedUpEventStore)\b/g,
  },
  /** A loop without an end of its own: it tries something again, or waits. */
  { name: 'loops without an end', pattern: /for \((?:let \w+ = \d+)?; ?;[^)]*\)|while \(true\)|\bdo \{/g },
  { name: 'fields that need consent', pattern: /'allowed_?[aA]ttributes'[^;]{0,80}?'allowed_?[pP]redicates'/g },
  { name: 'characters of deceptive text', pattern: /\[[^\n]*(?:\\u202a-\\u202e|\\p\{Bidi_Control\})[^\n]*\]/g },
  { name: 'the form of a SHA-512', pattern: /\[0-9a-f(?:A-F)?\]\{128\}/g },
];

/** The places of each rule in the files, `path:line`. */
export const placesOfRules = (tree: SourceTree, paths: readonly string[]): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    RULES.map(({ name, pattern }) => [name, paths.flatMap((path) => placesIn(tree.text(path), pattern).map((line) => `${path}:${line}`))]),
  );

const placesIn = (text: string, pattern: RegExp): readonly number[] =>
  [...text.matchAll(pattern)].map(({ index }) => text.slice(0, index).split('\n').length);
