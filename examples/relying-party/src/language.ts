import type { FastifyRequest } from 'fastify';

import { type Language, LANGUAGES } from './messages/messages.js';

/** Keeps the language that a person chose. It tells nothing else, so it is not signed. */
export const LANGUAGE_COOKIE = 'language';

export const isLanguage = (text: unknown): text is Language => LANGUAGES.some((language) => language === text);

/** The language to answer in: the chosen one, else the first of `Accept-Language` that the demo has (RFC 9110 §12.5.4), else English. */
export const languageOf = ({ cookies, headers }: Pick<FastifyRequest, 'cookies' | 'headers'>): Language => {
  const chosen = cookies[LANGUAGE_COOKIE];
  if (isLanguage(chosen)) return chosen;
  return preferred(headers['accept-language'] ?? '').find(isLanguage) ?? 'en';
};

/** Primary language tags, the most wanted first. Those with weight 0 are not wanted. */
const preferred = (header: string): readonly string[] =>
  header
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.trim().split(/\s*;\s*/);
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return { primary: tag.split('-')[0]?.toLowerCase() ?? '', weight: weight === undefined ? 1 : Number(weight.slice(2)) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ primary }) => primary);
