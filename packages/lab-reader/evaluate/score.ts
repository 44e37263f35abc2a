import { settleFile } from '../../../src/modules/lab/register/settle-file.ts'
import { biomarkers } from '../src/facts/biomarkers.ts'
import { normaliseUnit } from '../src/facts/convert.ts'
import { type IdentifiedReport, identifyReport } from '../src/identify/identify.ts'
import { parseBytes } from '../src/parse/parse-bytes.ts'
import { SEVERAL_PEOPLE } from '../src/parse/person.ts'
import { Refusal } from '../src/parse/refusal.ts'
import type { Expected, Made, Score } from './truth.ts'

const LIMITS = { maxPages: 200 }

/**
 * Reads a document as an upload is read, and compares each line with what a reader says of it. `wrong`: a result that is not
 * on the page, or that should wait. `lost`: neither a result, nor kept for a person, nor named in a note of what was left out.
 */
export async function scoreDocument({ bytes, expected, waits = false, day }: Made): Promise<Score> {
  const score: Score = { right: 0, wrong: 0, waiting: 0, lost: 0, certain: 0, certainRight: 0, faults: [] }
  const read = await readAll(bytes)
  // A document that is refused, or that waits as a whole, is looked at by a person.
  const isHeld = read === undefined || read.isHeld
  const results = isHeld ? [] : read.reports.flatMap((report) => report.results)
  if (waits && results.length > 0) {
    score.wrong += expected.length
    score.faults.push('the document does not wait')
    return score
  }
  const kept = (read?.reports ?? []).flatMap(({ unmatched }) => unmatched)
  const used = new Set<unknown>()
  for (const one of expected) {
    const isCertain = one.as !== 'wait' && one.isCertain && !waits
    if (isCertain) score.certain++
    const result = results.find((result) => !used.has(result) && isSame(one, result))
    if (result) {
      used.add(result)
      score.right++
      if (isCertain) score.certainRight++
      continue
    }
    const free = kept.filter((entry) => !used.has(entry) && isKept(one, entry))
    // "4.7" is in "44.7", too.
    const isNoted = one.as === 'wait' && read?.notes.some((note) => bare(note).includes(bare(one.name)))
    const waiting =
      isHeld || isNoted ? true : (free.find(({ valueText }) => bare(valueText) === bare(one.text)) ?? free[0])
    if (waiting) {
      used.add(waiting)
      if (one.as === 'wait' || waits) score.right++
      else {
        score.waiting++
        score.faults.push(
          `waiting: ${shown(one)}${typeof waiting === 'object' ? ` (${waiting.code})` : ` (${read ? 'held' : 'refused'})`}`,
        )
      }
    } else if (results.some((result) => !used.has(result) && isOf(one, result))) {
      // Counted below, as the result that it became.
    } else {
      score.lost++
      score.faults.push(`lost: ${shown(one)}`)
    }
  }
  if (day !== undefined && results.length > 0) scoreDay(day, read?.reports ?? [], score)
  for (const result of results) {
    if (used.has(result)) continue
    score.wrong++
    score.faults.push(`wrong: ${result.name} = ${result.rawResult} (${result.biomarkerId})`)
  }
  return score
}

/** Another day than that of the document is as wrong as another value; none, where it says one, waits. */
function scoreDay(day: string | null, reports: readonly IdentifiedReport[], score: Score): void {
  const days = reports.filter(({ results }) => results.length > 0).map(({ collectedDate }) => collectedDate)
  const strange = days.find((one) => one !== undefined && one !== day)
  const isCertain = day !== null
  if (isCertain) score.certain++
  if (strange !== undefined) {
    score.wrong++
    score.faults.push(`wrong: collected on ${strange}, not ${day}`)
  } else if (isCertain && days.includes(undefined)) {
    score.waiting++
    score.faults.push(`waiting: the day of collection ${day}`)
  } else {
    score.right++
    if (isCertain) score.certainRight++
  }
}

interface Read {
  reports: IdentifiedReport[]
  notes: string[]
  isHeld: boolean
}

async function readAll(bytes: Uint8Array): Promise<Read | undefined> {
  try {
    const { reports, notes } = await parseBytes(bytes, LIMITS)
    const isHeld = notes.includes(SEVERAL_PEOPLE) || reports.some(({ isOfSeveral }) => isOfSeveral)
    return {
      reports: settleFile(
        reports.map((report) => identifyReport(report, biomarkers)),
        biomarkers,
      ),
      ...{ notes, isHeld },
    }
  } catch (err) {
    if (err instanceof Refusal) return undefined
    throw err
  }
}

type Result = IdentifiedReport['results'][number]
type Kept = IdentifiedReport['unmatched'][number]

function isSame(one: Expected, result: Result): boolean {
  if (one.as === 'wait' || result.biomarkerId !== one.biomarkerId) return false
  if (one.as === 'finding') return 'finding' in result && result.finding.value === one.value
  if ('finding' in result) return false
  return (
    Math.abs(result.value - one.value) <= 1e-9 * Math.abs(one.value) &&
    [one.unit, one.ucum ?? ''].some((said) => normaliseUnit(said) === normaliseUnit(result.unit)) &&
    result.comparator === one.comparator
  )
}

/** A result that took the place of the expected one, with another value. */
const isOf = (one: Expected, { biomarkerId, name, rawResult = '' }: Result) =>
  one.as !== 'wait'
    ? biomarkerId === one.biomarkerId
    : bare(rawResult) === bare(one.text) || bare(name).startsWith(bare(one.name))

const isKept = (one: Expected, { valueText, name, suggestions }: Kept) =>
  (one.text !== '' && bare(valueText).includes(bare(one.text))) ||
  (one.as !== 'wait' ? suggestions.includes(one.biomarkerId) : bare(name).startsWith(bare(one.name)))

const bare = (text: string) =>
  text
    .toLowerCase()
    .replace(/[\s*]+/g, '')
    .replace('µ', 'u')
    .replace('μ', 'u')

const shown = (one: Expected) =>
  one.as === 'result' ? `${one.biomarkerId} ${one.text} ${one.unit}` : `${one.name} ${one.text}`
