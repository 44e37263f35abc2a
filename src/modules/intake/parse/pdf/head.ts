import { isKitId, normalizeId } from '../../../../platform/ids.ts'
import { type DayOrder, dayOrder, printedDay } from '../date.ts'
import type { Patient } from '../parsed.ts'
import { clean } from '../text.ts'
import type { Line } from './text.ts'

const day = String.raw`(\d{4}-\d{2}-\d{2}|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{1,2}[ -][A-Za-z]{3,9}[ -]\d{4}|[A-Za-z]{3,9} \d{1,2},? \d{4})`
const dayOnly = new RegExp(`^${day}`)
const everyDay = new RegExp(String.raw`(?<!\d)${day}`, 'g')

export type Labelled = 'collected' | 'resulted' | 'born'

const labels: Record<Labelled, RegExp> = {
  collected:
    /\b(?:(?:date|specimen|sample) (?:and time )?collected|collect(?:ed|ion)(?: date)?(?: ?(?:\/|and) ?time)?|date drawn|drawn)\b\s*:?\s*/i,
  resulted: /\b(?:(?:date )?(?:reported|resulted)|report(?:ed)? date|result date)\b\s*:?\s*/i,
  born: /\b(?:DOB|date of birth|birth ?date)\b\s*:?\s*/i,
}

/** Known by their names, these laboratories write the month first. */
export const isUnitedStatesLab = (text: string) =>
  /\blabcorp\b|laboratory corporation of america|\bquest diagnostics\b/i.test(text)

export const orderIn = (text: string): DayOrder =>
  isUnitedStatesLab(text) ? 'month-first' : dayOrder([...text.matchAll(everyDay)].map((found) => found[1] ?? ''))

/** The day behind a label on a line, or below it where labels stand side by side. */
export function labelledDay(
  lines: readonly Line[],
  index: number,
  label: Labelled,
  order: DayOrder,
): string | undefined {
  const line = lines[index]
  if (!line) return undefined
  const found = labels[label].exec(line.text)
  if (!found) return undefined
  const behind = dayOnly.exec(line.text.slice(found.index + found[0].length))
  if (behind) return printedDay(behind[1], order)
  const cell = line.cells.find(
    ({ text }) => labels[label].test(text) && (labels[label].exec(text)?.[0].length ?? 0) >= text.length - 6,
  )
  const below =
    cell && lines[index + 1]?.cells.find(({ x0, text }) => Math.abs(x0 - cell.x0) < 30 && dayOnly.test(text))
  return below && printedDay(below.text, order)
}

export interface Head {
  accession?: string
  kitId?: string
  patient?: Patient
}

/** Person and sample, from labelled fields only. */
export function readHead(lines: readonly Line[], order: DayOrder): Head {
  const text = lines.map((line) => line.text).join('\n')
  const field = (label: RegExp) => clean(label.exec(text)?.[1]?.split(/\s{2,}/)[0] ?? '', 100)
  const name = field(/\b(?:patient(?: name)?|name)\s*:\s*([^\n:]+?)(?=\s{2,}|\n|$)/i)
  const letter = field(/\b(?:sex|gender)\s*:?\s*(male|female|m|f)\b/i)
    .charAt(0)
    .toUpperCase()
  const dateOfBirth = lines.map((_, index) => labelledDay(lines, index, 'born', order)).find((one) => one !== undefined)
  const accession = field(/\b(?:accession(?: number| no\.?)?|specimen (?:id|number)|specimen)\s*[:#]\s*([\w-]{3,40})/i)
  const kit = field(/\bkit(?: id| number| no\.?| code)?\s*[:#]\s*(\w{10})\b/i)
  const patient: Patient = {
    ...(name && { name }),
    ...(dateOfBirth && { dateOfBirth }),
    ...((letter === 'M' || letter === 'F') && { sex: letter }),
  }
  const kitId = [kit, accession].find(isKitId)
  return {
    ...(accession && { accession }),
    ...(kitId && { kitId: normalizeId(kitId) }),
    ...(Object.keys(patient).length > 0 && { patient }),
  }
}
