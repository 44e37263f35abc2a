import type { IdentifiedReport } from '@kitlane/lab-reader/identify/identify'
import type { Layout } from '@kitlane/lab-reader/parse/layout'
import type { ParsedFile } from '@kitlane/lab-reader/parse/parsed'
import { Refusal } from '@kitlane/lab-reader/parse/refusal'
import type { Queries } from '../../../platform/database/tx.ts'
import { biomarkers } from '../../catalogue/service.ts'
import { identifyInSlices } from '../identify-in-slices.ts'
import { parseInChild } from '../parse-in-child.ts'
import { lineCounts, receivedOf } from '../received/rules.ts'
import { refusalError } from '../refusal-error.ts'
import { unassessedOfFile } from '../unassessed.ts'
import type { TriedLayout } from './schema.ts'

export type Tried = Partial<ParsedFile> & { refused?: string }

/** Reads a file with one template and no other. @throws OVERLOADED */
export async function parseWith(bytes: Uint8Array, layout: Layout, owner: string): Promise<Tried> {
  try {
    return await parseInChild(bytes, { owner, layouts: [layout] })
  } catch (err) {
    if (!(err instanceof Refusal)) throw err
    if (err.code === 'BUSY') throw refusalError(err)
    return { refused: words(err), ...(err.layout && { layout: err.layout }) }
  }
}

const inWords = {
  scan: 'It is a scan: the text of its pages is a picture',
  image: 'It is a picture',
  layout: 'No table of results was found: see that the headings are those that are printed',
} as const

const words = ({ message, needsReview }: Refusal) => (needsReview ? inWords[needsReview] : message)

/** What would become of it, with the catalogue of now. */
export async function describeTried(tx: Queries, tried: Tried): Promise<TriedLayout> {
  const { layout, format, refused, leftOut, notes = [], reports: parsed = [] } = tried
  const catalogue = await biomarkers(tx)
  const reports: IdentifiedReport[] = []
  for (const report of parsed) {
    reports.push({ ...report, ...(await identifyInSlices(report.observations, catalogue)) })
  }
  const counts = { lines: 0, assessed: 0, waiting: 0, leftOut: 0 }
  for (const report of reports) {
    const waiting = unassessedOfFile(report, report.collectedDate ?? '').length
    const received = receivedOf(report, { waiting, ...(report === reports[0] && leftOut && { leftOut }) })
    for (const key of ['lines', 'assessed', 'waiting', 'leftOut'] as const) counts[key] += received[key]
  }
  const people = reports.flatMap(({ patient }) => patient ?? [])
  const personRead = (['name', 'dateOfBirth', 'sex', 'id'] as const).filter((key) => people.some((one) => one[key]))
  return {
    recognised: layout !== undefined,
    ...(format && { format }),
    ...(refused && { refused }),
    personRead,
    lines: lineCounts(counts),
    results: reports.flatMap(resultsOf),
    notes,
  }
}

function resultsOf({ collectedDate, results, unmatched, observations }: IdentifiedReport): TriedLayout['results'] {
  const day = collectedDate === undefined ? {} : { collectedDate }
  const read = results.map((result) => {
    const { name, position, rawResult, labFlag, biomarkerId } = result
    const printed = observations.find((one) => one.position === position && one.name === name)
    return {
      name,
      value: rawResult ?? '',
      position,
      biomarkerID: biomarkerId,
      ...day,
      ...('value' in result && { number: result.value, ...(result.unit && { unit: result.unit }) }),
      ...(printed?.rangeText && { range: printed.rangeText }),
      ...(labFlag && { flag: labFlag }),
    }
  })
  const waiting = unmatched.map(({ name, valueText, unit, rangeText, flag, position, reason }) => ({
    name,
    value: valueText,
    position,
    waitsFor: reason,
    ...day,
    ...(unit && { unit }),
    ...(rangeText && { range: rangeText }),
    ...(flag && { flag }),
  }))
  return [...read, ...waiting]
}
