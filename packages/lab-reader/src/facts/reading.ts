export interface Reading {
  value: number
  /** Set when the laboratory only said that the result lies on one side of `value`. */
  comparator?: '<' | '<=' | '>=' | '>'
}

/**
 * A printed result as a number with an optional comparator: "5.3", "<0.2", "> 20.0", "≥90". Undefined for anything
 * else, such as text, "TNP" or a comma, which is a decimal sign in one country and a separator in another.
 */
export function readingOf(text: string): Reading | undefined {
  const match = /^(<=|>=|<|>|≤|≥)?\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))$/.exec(text.trim())
  if (!match) return undefined
  const value = Number(match[2])
  const sign = match[1]
  if (sign === '≤' || sign === '<=') return { value, comparator: '<=' }
  if (sign === '≥' || sign === '>=') return { value, comparator: '>=' }
  return sign === '<' || sign === '>' ? { value, comparator: sign } : { value }
}
