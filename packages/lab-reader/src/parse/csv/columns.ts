import { isKnownUnit, normaliseUnit } from '../../facts/convert.ts'
import { specimensIn, withoutSpecimens } from '../../facts/specimens.ts'
import { type Column, columnsOf, isRangeHeading } from '../headings.ts'
import type { Layout } from '../layout.ts'
import { isOfAnother, isOfPatient } from '../specimen-words.ts'

/** "Serum", "Urină 0311-2": a specimen, and the number of its sample. */
const withoutNumber = (heading: string): string => heading.replace(/\s+[\w./-]*\d[\w./-]*$/, '')
const inBrackets = /^(.*\S)\s*[([]\s*([^()[\]]+?)\s*[)\]]$/
const shortRange = /^(?:v\.? ?r\.?|ref\.?)$/i

const ofUnit = (column: Column): Column | undefined =>
  isKnownUnit(column.heading) ? { ...column, kind: 'value-column', unit: column.heading } : undefined

function ofSpecimen(column: Column): Column | undefined {
  const said = withoutNumber(column.heading)
  const isOnlyThat = specimensIn(said)?.length === 1 && withoutSpecimens(said) === ''
  return isOnlyThat ? { ...column, kind: 'value-column', specimen: said } : undefined
}

/** "Paciente (Robin Ejemplo)", "Partner (J. Doe)". */
function ofPerson(column: Column): Column | undefined {
  const [, role = column.heading, person = ''] = inBrackets.exec(column.heading) ?? []
  if (isOfAnother(role)) return { ...column, kind: 'value-column', isOfAnother: true }
  const isNamed = isOfPatient(role) && !role.includes(' ') && /\p{L}{2}.* .*\p{L}{2}/u.test(person)
  return isNamed ? { ...column, kind: 'value-column', person } : undefined
}

const areDifferent = (texts: readonly (string | undefined)[]) => new Set(texts).size === texts.length

/** The unit of a column of ranges: "VR (%)". */
function rangeUnit({ heading }: Column): string | undefined {
  const [, bare = '', unit = ''] = inBrackets.exec(heading) ?? []
  return (isRangeHeading(bare) || shortRange.test(bare)) && isKnownUnit(unit) ? unit : undefined
}

export const columnsOfTable = (headings: readonly string[], layout?: Layout): Column[] =>
  withValues(columnsOf(headings, layout))

/**
 * The columns of a table of tests without one of results, if all that are not known are headed by what tells their values apart, and by
 * nothing else: units, specimens, or the person, who is named, and somebody else. `%` alone may be a change or a percentile.
 */
function withValues(columns: readonly Column[]): Column[] {
  const has = (...kinds: Column['kind'][]) => columns.some(({ kind }) => kinds.includes(kind))
  const open = columns.filter((column) => column.kind === 'marker' && rangeUnit(column) === undefined)
  if (!has('name') || has('value', 'date-column', 'previous', 'changes') || open.length === 0) return [...columns]
  const readAs = (read: (column: Column) => Column | undefined): Column[] => {
    const found = open.flatMap((column) => read(column) ?? [])
    return found.length === open.length ? found : []
  }
  const units = has('unit') ? [] : readAs(ofUnit)
  const specimens = has('unit') ? readAs(ofSpecimen) : []
  const people = has('unit') && !has('patient') ? readAs(ofPerson) : []
  const areUnits =
    units.some(({ unit = '' }) => unit.includes('/')) && areDifferent(units.map(({ unit = '' }) => normaliseUnit(unit)))
  const areSpecimens =
    specimens.length > 1 && areDifferent(specimens.map(({ specimen }) => specimensIn(specimen)?.join()))
  const arePeople = people.length > 1 && people.filter(({ person }) => person !== undefined).length === 1
  const found = areUnits ? units : areSpecimens ? specimens : arePeople ? people : []
  return columns.map((column) => {
    const unit = areUnits && column.kind === 'marker' ? rangeUnit(column) : undefined
    return unit
      ? { ...column, kind: 'range', unit }
      : (found.find(({ heading }) => heading === column.heading) ?? column)
  })
}

const signCode = /^(?:lte?|gte?|l[eo]|g[eo]|eq|ne|nd|na|nr|lo[dq]|b?l[lo]q|bdl|bld|app|est|ca|pos|neg|no|max|min)$/i
/** Under "operator" stand the initials of who measured, where each row has some and none has a sign. */
export function withOperators(columns: readonly Column[], rows: readonly { cells: readonly string[] }[]): Column[] {
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  const isInitials = (cell = '') => /^\p{Lu}\p{L}{1,2}$/u.test(cell.trim()) && !signCode.test(cell.trim())
  return columns.map((column, at) =>
    column.kind === 'comparator' &&
    /^op[eé]ra(?:t|d)/i.test(column.heading) &&
    filled.every(({ cells }) => isInitials(cells[at]))
      ? { ...column, kind: 'ignored' }
      : column,
  )
}

const readingHeading =
  /^(?:(?:raw|instrument|analy[sz]er|measured|uncorrected)[ _])?(?:reading|measured|raw)$|^(?:raw[ _](?:value|result)|rohwert|valeur brute|valor bruto|valore grezzo|lectura|lettura)$/i
/** "10", "1:10", "x 10": whole, and more than 1. */
const dilution = /^(?:1 ?[:/] ?|[x×*] ?)?([1-9]\d{0,4})$/i

/** Whether the result is the reading times its dilution, so that the dilution was counted already. */
export function isCounted(columns: readonly Column[], cells: readonly string[], cell: string): boolean {
  const numberIn = (is: (column: Column) => boolean) => {
    const [only = '', ...others] = columns.flatMap((column, at) => (is(column) ? [(cells[at] ?? '').trim()] : []))
    return others.length === 0 && /^\d+(?:[.,]\d+)?$/.test(only) ? Number(only.replace(',', '.')) : Number.NaN
  }
  const [factor, reading] = [Number(dilution.exec(cell)?.[1]), numberIn(({ heading }) => readingHeading.test(heading))]
  const result = numberIn(({ kind }) => kind === 'value')
  return factor > 1 && reading > 0 && Math.abs(result - reading * factor) <= result * ROUNDED
}
const ROUNDED = 0.005
