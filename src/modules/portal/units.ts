import type { PageRequest, SetCookie } from '../../platform/http/pages.ts'
import { type UnitSystem, unitSystems } from '../reports/units/systems.ts'
import { CHOICE_SECONDS } from './language.ts'

const COOKIE = 'units'

type UnitChoice = Pick<PageRequest, 'query' | 'cookie'>

const known = (wanted: string | undefined): UnitSystem | undefined => unitSystems.find((one) => one === wanted)

/** The units of a report: what its address asks for, what was chosen in this browser, those of the laboratory. */
export const unitsOf = ({ query, cookie }: UnitChoice): UnitSystem =>
  known(query.units) ?? known(cookie(COOKIE)) ?? 'reported'

/** What keeps a choice that an address makes. */
export function unitsCookie({ query }: UnitChoice): SetCookie | undefined {
  const value = known(query.units)
  return value && { name: COOKIE, value, maxAgeSeconds: CHOICE_SECONDS }
}
