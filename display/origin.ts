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
  /** When the sample was taken, where only the person tested says so. */
  collectedSaid?: string | undefined
  notes: readonly string[]
}

const timed = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/

/** The words for the origin of results in other languages. */
export interface OriginWords {
  laboratory: string
  notStated: string
  addressNotStated: string
  director(name: string): string
  specimen: string
  specimenNumber(id: string): string
  condition: string
  collected: string
  collectedSaid: string
  received: string
  patientID: string
  reported: string
  note: string
  zoneNotStated: string
  date(date: string): string
  moment(date: string, time: string, zone: string): string
}

const english: OriginWords = {
  laboratory: 'Laboratory',
  notStated: 'Not stated',
  addressNotStated: 'address not stated',
  director: (name) => `director ${name}`,
  specimen: 'Specimen',
  specimenNumber: (id) => `number ${id}`,
  condition: 'Condition',
  collected: 'Collected',
  collectedSaid: 'Collected, as the person tested said',
  received: 'Received by the laboratory',
  patientID: "Laboratory's patient ID",
  reported: 'Reported by the laboratory',
  note: "The laboratory's note",
  zoneNotStated: '(zone not stated)',
  date: (date) => dateText(date) ?? '',
  moment: (date, time, zone) => `${date}, ${time} ${zone}`,
}

/** `1 Apr 2026, 08:30 -05:00` as it was on the clock there; of a time without a zone the laboratory's, if that is known. */
export function momentText(date: string | undefined, timeZone?: string, words = english): string | undefined {
  const match = timed.exec(date ?? '')
  if (!match) return date === undefined ? undefined : words.date(date)
  const [, day = '', time = '', offset] = match
  const zone = offset === 'Z' ? 'UTC' : (offset ?? timeZone ?? words.zoneNotStated)
  return words.moment(words.date(day), time, zone)
}

/** What a report says of its laboratory and specimen, line by line. */
export function originFacts(origin: ShownOrigin, words = english): [name: string, value: string][] {
  const { laboratories, specimens, patientID, reportedDate, collectedSaid, notes } = origin
  const zone = laboratories.length === 1 ? laboratories[0]?.timeZone : undefined
  const facts: [string, string | undefined][] = [
    ...(laboratories.length === 0 ? [[words.laboratory, words.notStated] satisfies [string, string]] : []),
    ...laboratories.map((one): [string, string] => [words.laboratory, laboratoryText(one, words)]),
    ...(specimens.length === 0 ? [[words.specimen, words.notStated] satisfies [string, string]] : []),
    ...specimens.flatMap((one): [string, string | undefined][] => [
      [
        words.specimen,
        [one.source ?? words.notStated, one.id && words.specimenNumber(one.id)].filter(Boolean).join(', '),
      ],
      [words.condition, one.condition],
      [words.collected, momentText(one.collectedDate, zone, words)],
      [words.received, momentText(one.receivedDate, zone, words)],
    ]),
    [words.collectedSaid, momentText(collectedSaid, undefined, words)],
    [words.patientID, patientID],
    [words.reported, momentText(reportedDate, zone, words)],
    ...notes.map((note): [string, string] => [words.note, note]),
  ]
  return facts.flatMap(([name, value]) => (value ? [[name, value]] : []))
}

const laboratoryText = ({ name, address, clia, director }: Laboratory, words: OriginWords): string =>
  [name, address ?? words.addressNotStated, clia && `CLIA ${clia}`, director && words.director(director)]
    .filter(Boolean)
    .join(', ')

interface ValueWithWords {
  said?: { method?: string | undefined; laboratory?: string | undefined; comment?: string | undefined } | undefined
}

/** What the laboratory says beside one value, in words; empty without. */
export const wordsOfLaboratory = ({ said }: ValueWithWords): string =>
  [said?.method && `Method: ${said.method}.`, said?.laboratory && `Measured by ${said.laboratory}.`, said?.comment]
    .filter(Boolean)
    .join(' ')
