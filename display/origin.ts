import { dateText } from './report-text.ts'

interface Laboratory {
  name: string
  address?: string | undefined
  clia?: string | undefined
  director?: string | undefined
  timeZone?: string | undefined
}

interface Specimen {
  id?: string | undefined
  source?: string | undefined
  condition?: string | undefined
  collectedDate?: string | undefined
  receivedDate?: string | undefined
}

/** Where the results of a report come from. */
export interface ShownOrigin {
  laboratories: readonly Laboratory[]
  specimens: readonly Specimen[]
  patientID?: string | undefined
  reportedDate?: string | undefined
  notes: readonly string[]
}

const timed = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/

/** `1 Apr 2026, 08:30 -05:00` as it was on the clock there; of a time without a zone the laboratory's, if that is known. */
export function momentText(date: string | undefined, timeZone?: string): string | undefined {
  const match = timed.exec(date ?? '')
  if (!match) return dateText(date)
  const [, day, time, offset] = match
  const zone = offset === 'Z' ? 'UTC' : (offset ?? timeZone ?? '(zone not stated)')
  return `${dateText(day)}, ${time} ${zone}`
}

/** What a report says of its laboratory and specimen, line by line. */
export function originFacts(origin: ShownOrigin): [name: string, value: string][] {
  const { laboratories, specimens, patientID, reportedDate, notes } = origin
  const zone = laboratories.length === 1 ? laboratories[0]?.timeZone : undefined
  const facts: [string, string | undefined][] = [
    ...(laboratories.length === 0 ? [['Laboratory', 'Not stated'] satisfies [string, string]] : []),
    ...laboratories.map((one): [string, string] => ['Laboratory', laboratoryText(one)]),
    ...specimens.flatMap((one): [string, string | undefined][] => [
      ['Specimen', [one.source ?? 'Not stated', one.id && `number ${one.id}`].filter(Boolean).join(', ')],
      ['Condition', one.condition],
      ['Collected', momentText(one.collectedDate, zone)],
      ['Received by the laboratory', momentText(one.receivedDate, zone)],
    ]),
    ["Laboratory's patient ID", patientID],
    ['Reported by the laboratory', momentText(reportedDate, zone)],
    ...notes.map((note): [string, string] => ["The laboratory's note", note]),
  ]
  return facts.flatMap(([name, value]) => (value ? [[name, value]] : []))
}

const laboratoryText = ({ name, address, clia, director }: Laboratory): string =>
  [name, address ?? 'address not stated', clia && `CLIA ${clia}`, director && `director ${director}`]
    .filter(Boolean)
    .join(', ')

interface SaidOfValue {
  said?: { method?: string | undefined; laboratory?: string | undefined; comment?: string | undefined } | undefined
}

/** What the laboratory says beside one value, in words; empty without. */
export const saidText = ({ said }: SaidOfValue): string =>
  [said?.method && `Method: ${said.method}.`, said?.laboratory && `Measured by ${said.laboratory}.`, said?.comment]
    .filter(Boolean)
    .join(' ')
