import type { z } from 'zod'
import type { Assigner, Origin, Said, SentCode, Specimen } from '../origin.ts'
import { clean, cleaned, joinedLines } from '../text.ts'
import { measuredIn } from './measured-with.ts'
import { component, type Delimiters, type Message, repetitions, type Segment, subcomponents } from './message.ts'

interface OriginGroup {
  patient?: Segment
  request?: Segment
  specimens: readonly Segment[]
  results: readonly { obx: Segment }[]
  notes: readonly Segment[]
}

const nameIn = (segment: Segment, marks: Delimiters, field: number, ...numbers: number[]) =>
  clean(
    numbers
      .map((number) => component(segment, marks, field, number))
      .filter((part) => part !== '')
      .join(' '),
    200,
  )

/** The text of a coded field, else its code. */
const coded = (segment: Segment, marks: Delimiters, field: number, repetition = 1) =>
  clean(
    [9, 2, 1].map((part) => component(segment, marks, field, part, repetition)).find((text) => text !== '') ?? '',
    200,
  )
/** A code with its system, from a component of a coded field on. */
function codeIn(segment: Segment, marks: Delimiters, field: number, from: number): SentCode | undefined {
  const [code, display, system] = [0, 1, 2].map((by) => clean(component(segment, marks, field, from + by), 199))
  return code ? { code, ...(system && { system }), ...(display && { display }) } : undefined
}

const allCoded = (segment: Segment, marks: Delimiters, field: number) =>
  repetitions(segment, marks, field).map((_, at) => coded(segment, marks, field, at + 1))

const stamp = /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?(?:\.\d+)?)?([+-]\d{4})?$/

/** An HL7 time stamp as ISO 8601; its zone is its own, else that of the message's header, else none. */
function hl7Moment(text: string, zone: string | undefined): string | undefined {
  const match = stamp.exec(text.trim())
  if (!match) return undefined
  const [, year, month, day, hour, minute, second = '00', own] = match
  if (hour === undefined) return `${year}-${month}-${day}`
  const offset = own ?? zone
  const ended = offset === undefined ? '' : `${offset.slice(0, 3)}:${offset.slice(3)}`
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${ended}`
}

/** The zone of the times that name none of their own. */
export const zoneOf = (header: Segment | undefined, marks: Delimiters) =>
  header && stamp.exec(component(header, marks, 7).trim())?.[7]

/** Laboratory, specimen and times of a report: MSH-4, OBR-7/14/15/22, SPM, OBX-15/23/24/25, PID-3 and NTE of the request. */
function originIn(groups: readonly OriginGroup[], header: Segment | undefined, marks: Delimiters): Origin {
  const zone = zoneOf(header, marks)
  const named = groups.flatMap(({ results }) => results.flatMap(({ obx }) => laboratoryOf(obx, marks) ?? []))
  const sender = header && clean(component(header, marks, 4), 200)
  const byName = new Map(named.map((one) => [one.name, one]))
  const clia = sender && component(header, marks, 4, 3) === 'CLIA' ? clean(component(header, marks, 4, 2), 40) : ''
  const laboratories = byName.size > 0 ? [...byName.values()] : sender ? [{ name: sender, ...(clia && { clia }) }] : []
  const specimens = groups.flatMap((group) => specimensOf(group, marks, zone))
  const bySpecimen = new Map(specimens.map((one) => [JSON.stringify(one), one]))
  const [first] = groups
  const patientID = first?.patient && cleaned(component(first.patient, marks, 3), 100)
  const reported = groups.flatMap(({ request }) =>
    request ? (hl7Moment(component(request, marks, 22), zone) ?? []) : [],
  )
  const reportedDate = reported.sort().at(-1)
  const notes = groups.flatMap((group) => cleaned(notesText(group.notes, marks), 2000) ?? [])
  return {
    laboratories,
    specimens: [...bySpecimen.values()],
    ...(patientID && { patientID }),
    ...(reportedDate && { reportedDate }),
    notes: [...new Set(notes)],
  }
}

/** The origin of a report, and the runs and reagents by which it was measured. */
export const provenanceIn = (groups: readonly OriginGroup[], message: Message) => ({
  origin: originIn(groups, message.segments[0], message.delimiters),
  ...measuredIn(message, groups, (obx) => laboratoryOf(obx, message.delimiters)?.name),
})

/** The same with sentences that begin on a line of their own. */
export const notesLines = (notes: readonly Segment[], marks: Delimiters): string =>
  joinedLines(notes.flatMap((note) => repetitions(note, marks, 3)))

export const notesText = (notes: readonly Segment[], marks: Delimiters): string =>
  notes.map((note) => repetitions(note, marks, 3).join(' ')).join(' ')

function laboratoryOf(obx: Segment, marks: Delimiters) {
  const producer = component(obx, marks, 15)
  const name = clean(component(obx, marks, 23) || component(obx, marks, 15, 2), 200)
  if (name === '') return undefined
  const lines = [1, 2, 3, 4, 5, 6].map((number) => component(obx, marks, 24, number))
  const address = clean(lines.filter((part) => part !== '').join(', '), 400)
  const clia = clean(component(obx, marks, 23, 10) || (isClia(producer) ? producer : ''), 40)
  const director = nameIn(obx, marks, 25, 6, 3, 2, 7)
  return { name, ...(address && { address }), ...(clia && { clia }), ...(director && { director }) }
}

/** Two digits, D, seven digits. */
const isClia = (text: string) => /^\d{2}D\d{7}$/i.test(text)

/** The only specimen of a group, and the laboratory's number of its request. */
export function takenIn(group: OriginGroup, marks: Delimiters, zone: string | undefined) {
  const [taken, ...others] = specimensOf(group, marks, zone)
  const fillerNumber = group.request && cleaned(component(group.request, marks, 3), 199)
  const [, ...whose] = group.request ? [1, 2, 3, 4].map((at) => component(group.request as Segment, marks, 3, at)) : []
  const fillerAssigner = assignerIn(whose)
  return {
    ...(taken && others.length === 0 && { taken }),
    ...{ ...(fillerNumber && { fillerNumber }), ...(fillerNumber && fillerAssigner && { fillerAssigner }) },
  }
}

/** EI: a namespace, its OID and that it is one. */
function assignerIn([name = '', id = '', kind]: readonly string[]): z.infer<typeof Assigner> | undefined {
  const [known, oid] = [clean(name, 199), clean(id, 199)]
  return kind === 'ISO' && /^[0-2](\.(0|[1-9]\d*)){2,}$/.test(oid)
    ? { ...(known && { name: known }), id: oid, kind }
    : undefined
}

function specimensOf({ specimens, request }: OriginGroup, marks: Delimiters, zone: string | undefined): Specimen[] {
  const collected = request && hl7Moment(component(request, marks, 7), zone)
  const received = request && hl7Moment(component(request, marks, 14), zone)
  const dates = (from: string | undefined, to: string | undefined) => ({
    ...((from ?? collected) && { collectedDate: from ?? collected }),
    ...((to ?? received) && { receivedDate: to ?? received }),
  })
  if (specimens.length === 0) {
    const older = request ? (repetitions(request, marks, 15)[0] ?? '') : ''
    const source = clean(older.replaceAll(/[^\p{L}\p{N} -]+/gu, ' '), 200)
    const only = { ...(source && { source }), ...dates(undefined, undefined) }
    return Object.keys(only).length > 0 ? [only] : []
  }
  return specimens.map((spm) => {
    const own = component(spm, marks, 2, 2) ? 2 : 1
    const id = clean(component(spm, marks, 2, own), 100)
    const assigner = assignerIn(subcomponents(spm, marks, 2, own).slice(1))
    const source = [coded(spm, marks, 4), coded(spm, marks, 8)].filter((part) => part !== '').join(', ')
    const found = [...allCoded(spm, marks, 24), ...allCoded(spm, marks, 21)]
    const condition = clean(found.filter((part) => part !== '').join(', '), 300)
    const codes = [codeIn(spm, marks, 4, 1), codeIn(spm, marks, 4, 4)].filter((one) => one !== undefined)
    const site = codeIn(spm, marks, 8, 1)
    const from = hl7Moment(component(spm, marks, 17), zone)
    const to = hl7Moment(component(spm, marks, 18), zone)
    return {
      ...{
        ...(id && { id }),
        ...(id && assigner && { assigner }),
        ...(source && { source }),
        ...(codes.length > 0 && { codes }),
      },
      ...{ ...(site && { site }), ...(condition && { condition }), ...dates(from, to) },
    }
  })
}

/** What stands beside one value: OBX-17, OBX-23 or OBX-15, and its NTE. */
export function saidIn(obx: Segment, notes: readonly Segment[], marks: Delimiters): Said | undefined {
  const method = coded(obx, marks, 17)
  const laboratory = laboratoryOf(obx, marks)?.name
  const comment = clean(notesText(notes, marks), 2000)
  const said = { ...(method && { method }), ...(laboratory && { laboratory }), ...(comment && { comment }) }
  return Object.keys(said).length > 0 ? said : undefined
}
