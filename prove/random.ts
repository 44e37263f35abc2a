/** Random numbers that a seed reproduces (mulberry32). */
export interface Random {
  /** From 0 up to, but not including, 1. */
  fraction(): number
  /** A whole number from `min` to `max`. */
  between(min: number, max: number): number
  pick<T>(choices: readonly T[]): T
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    fraction,
    between: (min, max) => min + Math.floor(fraction() * (max - min + 1)),
    pick(choices) {
      const chosen = choices[Math.floor(fraction() * choices.length)]
      if (chosen === undefined) throw new Error('nothing to pick from')
      return chosen
    },
  }
}
