import { el, foreignName } from '#web-page/browser';

import type { Messages } from './messages/messages.js';
import type { Dependencies } from './parts.js';
import { type Json, textOf, textsOf } from './portal-api.js';

/** The registered names that a new one may pass for, each with what tells them apart, for the person who decides on it. */
export const closeNamesNotice = ({ texts }: Pick<Dependencies, 'texts'>, names: readonly Json[]): readonly HTMLElement[] => {
  if (names.length === 0) return [];
  const words = wordsOf(texts);
  const rows = names.map((close) =>
    el(
      'li',
      {},
      el('strong', {}, foreignName(textOf(close, 'name'))),
      `: ${textsOf(close, 'differences')
        .map((difference) => words[difference] ?? difference)
        .join(', ')} (${Number(close['closeness'])} %)`,
    ),
  );
  return [el('div', { class: 'notice', role: 'alert', 'data-testid': 'close-names' }, el('p', {}, texts.closeNames), el('ul', {}, ...rows))];
};

const wordsOf = (texts: Messages): Readonly<Record<string, string>> => ({
  NOTHING_THAT_SHOWS: texts.nameLooksSame,
  SPACES: texts.nameSpaces,
  PUNCTUATION: texts.namePunctuation,
  EMOJI: texts.nameEmoji,
  LETTERS_THAT_LOOK_ALIKE: texts.nameLetters,
  ADDED_WORDS: texts.nameWords,
  SPELLING: texts.nameSpelling,
});
