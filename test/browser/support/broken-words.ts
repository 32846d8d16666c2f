import type { Page } from 'playwright-core';

/**
 * Words that a line break cuts without a hyphen, and elements that are wider than the window. Programs and messages in `pre`, digests, device numbers and long
 * words in names of others may be cut.
 */
export const layoutFaults = async (page: Page, screen: string): Promise<string[]> => {
  const faults = await page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const { parentElement } = node;
      if (parentElement === null || parentElement.closest('code, pre, .number, option, script, style') !== null) continue;
      const foreign = parentElement.closest('bdi, .foreign-name') !== null;
      for (const word of (node.textContent ?? '').matchAll(/[\p{L}\p{N}’]+/gu)) {
        if (foreign && word[0].length > 12) continue;
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.push(`“${word[0]}” is broken`);
      }
    }
    for (const button of document.querySelectorAll<HTMLElement>('button, a.button'))
      if (button.scrollWidth > button.clientWidth + 1) found.push(`“${button.textContent}” is wider than its button`);
    if (document.documentElement.scrollWidth > document.documentElement.clientWidth) found.push('wider than the window');
    return found;
  });
  return faults.map((fault) => `${screen}: ${fault}`);
};
