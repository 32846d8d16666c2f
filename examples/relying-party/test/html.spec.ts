import { expect, it } from '@jest/globals';

import { html } from '../src/views/html.js';

it('a page escapes what it is given', () => {
  expect(html`<p title="${'"'}">${'<img src=x onerror=alert(1)>'}</p>`.text).toBe('<p title="&#34;">&#60;img src=x onerror=alert(1)&#62;</p>');
});
