import type { Biomarker } from './schema.ts'

/**
 * Rounds half up in decimal: 12 significant digits first, so that 5.999999999999999 is 6 and 1.005 is 1.01.
 * The result is the number nearest to the decimal that is printed.
 */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals
  return Math.round(Number((value * scale).toPrecision(12))) / scale
}

/** A computed number without the noise of binary arithmetic: 12 significant digits, so that 5.999999999999999 is 6. */
export const exact = (value: number): number => Number(value.toPrecision(12))

/**
 * Whether an unrounded value in the biomarker's own unit can be real. An implausible value is a unit error, a decimal
 * error or a spoilt specimen: it is kept for a person to check, and never clipped or scored.
 */
export function isPlausible({ id, plausible }: Biomarker, value: number, specimen = ''): boolean {
  const [min, max] = (/edta/i.test(specimen) && spoiltByEdta[id]) || []
  return value >= (min ?? plausible.min) && value <= (max ?? plausible.max)
}

/** What EDTA binds is near nothing in its tube, and the potassium in it is far too much: the tube was the wrong one. */
const spoiltByEdta: Readonly<Record<string, readonly [min?: number, max?: number]>> = {
  ...{ calcium: [7], calcium_ionized: [0.9], magnesium: [1], alp: [20], iron: [15], zinc: [30] },
  potassium: [undefined, 6],
}

/** How many decimals a number has. */
export const decimalsOf = (x: number): number => {
  const [digits = '', exponent = '0'] = String(x).split('e')
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent))
}
