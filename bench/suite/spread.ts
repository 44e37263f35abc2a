/** The figures of several rounds. */
export interface Spread {
  median: number
  min: number
  max: number
  rounds: number[]
}

export function spread(rounds: readonly number[]): Spread {
  const sorted = rounds.toSorted((a, b) => a - b)
  const at = (index: number) => sorted[index] ?? Number.NaN
  const middle = (sorted.length - 1) / 2
  const median = (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2
  return { median, min: at(0), max: at(sorted.length - 1), rounds: [...rounds] }
}

/** Divides round by round, so that a slow round of the machine cancels out. */
export const ratio = (ours: readonly number[], theirs: readonly number[]): Spread =>
  spread(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)))

export function inWords({ median, min, max }: Spread, digits = 0): string {
  const show = (value: number) =>
    value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return `${show(median)} (${show(min)} to ${show(max)})`
}
