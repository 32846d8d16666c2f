import { describe, expect, it } from '@jest/globals';

import { element } from './xml.js';

describe('an XML element', () => {
  it('holds its text escaped, with characters that XML does not know replaced', () => {
    expect(element('a', 'x < y & "z" > \r\n\u0000\uD800\uFFFE\u{1F600}').xml).toBe(
      '<a>x &lt; y &amp; &quot;z&quot; &gt; &#13;&#10;\uFFFD\uFFFD\uFFFD\u{1F600}</a>',
    );
  });

  it('holds its attributes escaped', () => {
    expect(element('a', [], { b: '"><c d="\t' }).xml).toBe('<a b="&quot;&gt;&lt;c d=&quot;&#9;"/>');
  });

  it('holds its children in their order, without the absent ones', () => {
    expect(element('a', [element('b', 'one'), undefined, element('c', [])]).xml).toBe('<a><b>one</b><c/></a>');
  });
});
