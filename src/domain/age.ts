/** From this age on, a person decides alone. */
export const ADULT_AGE = 18

/** Whole years between two dates. */
export function ageOn(born: string, on: string): number {
  const years = Number(on.slice(0, 4)) - Number(born.slice(0, 4))
  return on.slice(5, 10) < born.slice(5, 10) ? years - 1 : years
}
