export const PIN_MIN = 4;
export const PIN_MAX = 12;

export type PinFault = 'LENGTH' | 'WEAK';

/** Why a new PIN is refused: its length, or because it is easily guessed. */
export const pinFault = (pin: string): PinFault | undefined => {
  if (!/^\d*$/.test(pin) || pin.length < PIN_MIN || pin.length > PIN_MAX) return 'LENGTH';
  return isSequence(pin) ? 'WEAK' : undefined;
};

/** Each digit the same distance from the one before: 0000, 1234, 9876. */
const isSequence = (pin: string): boolean => {
  const steps = [...pin].slice(1).map((digit, index) => Number(digit) - Number(pin[index]));
  return steps.every((step) => step === steps[0] && Math.abs(step) <= 1);
};
