import { withDoubt } from './beside.ts'
import type { Layout } from './layout.ts'
import { afterDeath, outsideOfLife } from './order-of-times.ts'
import { withOtherNumbers } from './other-number.ts'
import type { Observation, ParsedFile } from './parsed.ts'
import { areSeveralPeople, SEVERAL_PEOPLE } from './person.ts'
import { Refusal } from './refusal.ts'
import { sniff, unsupported, withoutEndMark } from './sniff.ts'
import { isMaterialName } from './specimen-words.ts'
import { isUsable, overallStatus, withdrawsResults, withNote } from './status.ts'

export interface ParseLimits {
  maxPages: number
  /** What operators taught. */
  layouts?: readonly Layout[]
}

/** Parses a laboratory's file of any format: bytes in, reports out, no I/O. @throws Refusal */
export async function parseBytes(bytes: Uint8Array, limits: ParseLimits): Promise<ParsedFile> {
  const file = withNotes(withPeople(withMissing(await parseFormat(withoutEndMark(bytes), limits))))
  const says = file.reports.filter(
    (report) =>
      withdrawsResults(report) ||
      report.specimenErrors.length > 0 ||
      report.specimenRefusals !== undefined ||
      report.observations.some(({ name, valueText, flag }) => valueText !== '' || (name && flag)),
  )
  if (says.length === 0) throw new Refusal('NOTHING_FOUND')
  const isOfSeveral =
    file.reports.some((report) => report.isOfSeveral) ||
    areSeveralPeople(file.reports.flatMap(({ patient }) => patient ?? []))
  if (!isOfSeveral) return { ...file, reports: says }
  // Each HL7 message in a file is a document of its own, with its own person.
  const reports = file.format === 'hl7v2' ? says : says.map((report) => ({ ...report, isOfSeveral }))
  return { ...file, reports, notes: [...file.notes, SEVERAL_PEOPLE] }
}

/** Results that a note beside them, or on the whole report, calls preliminary or corrected are; beside one with another number they wait. */
function withNotes(file: ParsedFile): ParsedFile {
  const reports = file.reports.map((report) => {
    const { notes = [] } = report.origin ?? {}
    // Lines around a table or on a page may speak of one result: their readers have asked them.
    const onAll = file.format === 'hl7v2' || file.format === 'fhir' ? [notes.join(' '), ...notes] : []
    const observations = withOtherNumbers(report.observations, notes).map((one) => {
      const status = [one.comment ?? one.said?.comment, ...onAll].reduce(withNote, one.status)
      return status === one.status ? one : { ...one, status }
    })
    const isChanged =
      observations.some((one, at) => one.status !== report.observations[at]?.status) && report.status === 'final'
    return {
      ...report,
      observations,
      ...(isChanged && { status: overallStatus(observations.map((one) => one.status)) }),
    }
  })
  return { ...file, reports }
}

/** Results of a person who was born after the sample was taken or reported, or had died before, wait, and those of control material. */
function withPeople(file: ParsedFile): ParsedFile {
  const reports = file.reports.map((report) => {
    const days = { collected: report.collectedDate?.slice(0, 10), reported: report.resultedDate?.slice(0, 10) }
    const { patient } = report
    if (!patient) return report
    const ofAll = outsideOfLife(patient, days)
    const { name = '' } = patient
    const hold = (one: Observation) => {
      if (isMaterialName(name)) return withDoubt(one, 'notOwn', `the name is ${name}`)
      const wrong = ofAll ?? afterDeath(patient.died, one.collectedDate)
      return wrong && isUsable(one.status) ? withDoubt(one, 'impossibleTimes', wrong) : one
    }
    return { ...report, observations: report.observations.map(hold) }
  })
  return { ...file, reports }
}

/** A document of which less was read than was counted waits for a person, with that reason. */
function withMissing(file: ParsedFile): ParsedFile {
  const { missing = 0, reports } = file
  const [first, ...others] = reports
  if (missing <= 0 || !first) return file
  const lines = missing === 1 ? 'line that looks like a result and was' : 'lines that look like results and were'
  const unread = {
    name: `${missing} ${lines} not read`,
    valueText: '',
    status: 'final' as const,
    doubt: 'notCounted' as const,
    position: 'the whole document',
    raw: '',
  }
  return { ...file, reports: [{ ...first, observations: [...first.observations, unread] }, ...others] }
}

async function parseFormat(bytes: Uint8Array, limits: ParseLimits): Promise<ParsedFile> {
  switch (sniff(bytes)) {
    case 'hl7v2':
      return (await import('./hl7/report.ts')).parseHl7(bytes)
    case 'fhir':
      return (await import('./fhir/report.ts')).parseFhir(bytes)
    case 'csv':
      return (await import('./csv/report.ts')).parseCsv(bytes, limits.layouts)
    case 'pdf':
      return (await import('./pdf/report.ts')).parsePdf(bytes, limits)
    case 'image':
      throw new Refusal('NEEDS_REVIEW', 'image')
    default:
      throw unsupported(bytes)
  }
}
