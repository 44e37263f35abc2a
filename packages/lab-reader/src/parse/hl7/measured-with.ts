import { hl7Day } from '../date.ts'
import type { MeasuredWith } from '../origin.ts'
import type { ParsedReport } from '../parsed.ts'
import { clean } from '../text.ts'
import { component, type Delimiters, type Message, type Segment } from './message.ts'

const MOST = 200

/** The field of a reagent's lot, and those that may name the reagent: SID and INV of OUL messages, PRT since 2.8.2. */
const lots: Readonly<Record<string, { lot: number; names: readonly number[] }>> = {
  SID: { lot: 2, names: [1, 4] },
  INV: { lot: 16, names: [1] },
  PRT: { lot: 19, names: [22, 16, 10] },
}

const named = (segment: Segment, marks: Delimiters, fields: readonly number[]): string =>
  fields.flatMap((field) => [2, 1].map((part) => component(segment, marks, field, part))).find((text) => text !== '') ??
  ''

/**
 * Runs and reagents by which results were measured, where the message names them. A run is the instrument (OBX-18) on a day (OBX-19):
 * HL7 has no number for it.
 */
export function measuredIn(
  { segments, delimiters: marks }: Message,
  groups: readonly { results: readonly { obx: Segment }[] }[],
  laboratoryOf: (obx: Segment) => string | undefined,
): Pick<ParsedReport, 'measuredWith'> {
  const own = new Set(groups.flatMap(({ results }) => results.map((result) => result.obx)))
  const sender = segments[0] ? component(segments[0], marks, 4) : ''
  const found = new Map<string, MeasuredWith>()
  let obx: Segment | undefined
  const note = (of: Segment, kind: MeasuredWith['kind'], subject: string, lot: string) => {
    if (lot === '') return
    const one: MeasuredWith = { kind, subject: clean(subject, 100), lot: clean(lot, 60), results: [] }
    const known = found.get(JSON.stringify(one)) ?? one
    const name = clean(component(of, marks, 3, 2) || component(of, marks, 3), 300)
    found.set(JSON.stringify({ ...one, results: [] }), { ...known, results: [...new Set([...known.results, name])] })
  }
  for (const segment of segments) {
    if (['OBX', 'OBR', 'SPM', 'PID'].includes(segment.id)) obx = own.has(segment) ? segment : undefined
    if (!obx) continue
    const source = lots[segment.id]
    if (source) note(obx, 'reagentLot', named(segment, marks, source.names), component(segment, marks, source.lot))
    if (segment !== obx) continue
    const instrument = component(obx, marks, 18)
    const day = hl7Day(component(obx, marks, 19))
    if (instrument !== '' && day) note(obx, 'run', laboratoryOf(obx) ?? sender, `${instrument} ${day}`)
  }
  return found.size > 0 ? { measuredWith: [...found.values()].slice(0, MOST) } : {}
}
