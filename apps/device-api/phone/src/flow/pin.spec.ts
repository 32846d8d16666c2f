import { pinFault } from './pin.js';

describe('a PIN', () => {
  it.each(['2580', '1357', '112233', '909090909090'])('may be %s', (pin) => {
    expect(pinFault(pin)).toBeUndefined();
  });

  it.each(['', '258', '1234567890123', '25a8', ' 2580'])('has 4 to 12 digits, not "%s"', (pin) => {
    expect(pinFault(pin)).toBe('LENGTH');
  });

  it.each(['0000', '1234', '87654321', '777777777777'])('is not easily guessed: %s', (pin) => {
    expect(pinFault(pin)).toBe('WEAK');
  });
});
