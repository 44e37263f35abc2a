import { isUtf8 } from 'node:buffer'
import { correctionIn } from '../annulling.ts'
import { withAnnulledByName, withNotesBelow } from '../around.ts'
import { annulsAll, withDoubt, withFlags, withRemarksOnAll, withUnknown, withWordsBeside } from '../beside.ts'
import { siteOf } from '../body-site.ts'
import { withControls } from '../controls.ts'
import { hl7Day, hl7Time, isNoDay, withHour } from '../date.ts'
import { type Commas, commasIn } from '../number.ts'
import { withOrder } from '../order-name.ts'
import { impossibleTimes } from '../order-of-times.ts'
import type { MessageFacts, Observation, ParsedFile, ParsedReport } from '../parsed.ts'
import { areSeveralPeople } from '../person.ts'
import { Refusal } from '../refusal.ts'
import { distinctPhases, isAfterDose, isSaidSelfMeasured, isSelfMeasured, phasesIn } from '../sample-words.ts'
import { isStarLegend } from '../sent-text.ts'
import {
  distinct,
  isNotOwn,
  isOfAnother,
  isOfTraining,
  saysAnother,
  specimenErrorsIn,
  specimenErrorsOfResults,
} from '../specimen-words.ts'
import { isUsable, overallStatus } from '../status.ts'
import { clean, cleaned, decodeText } from '../text.ts'
import {
  byDayOfResult,
  byResults,
  collectedOf,
  daysTold,
  type Group,
  groupsOf,
  kitIdOf,
  kitIdsOf,
  otherDayOf,
  otherSampleOf,
  panelOf,
  takesBack,
} from './groups.ts'
import { heldBy, refusalsOf, remarksOn } from './held.ts'
import { component, type Delimiters, type Message, readMessages, repetitions, type Segment } from './message.ts'
import { flagWordsIn, printedIn, readObx, statusOf } from './observation.ts'
import { notesLines, notesText, provenanceIn, saidIn, takenIn, zoneOf } from './origin.ts'
import { kitIdsOfPerson, readPatient } from './patient.ts'
import { factsOfGroup, linesOf } from './sample-facts.ts'

/** Result messages (ORU, OUL) of an HL7 v2 file; one report per message, person and day of collection. */
export function parseHl7(bytes: Uint8Array): ParsedFile {
  const text = decodeMessage(bytes)
  const messages = readMessages(text)
  if (messages.length === 0) throw new Refusal('PARSE_FAILED')
  const { results, others } = byResults(messages)
  if (results.length === 0) throw new Refusal('UNSUPPORTED_FORMAT')
  const notes: string[] = []
  if (results.length < messages.length) notes.push('Messages that carry no results were left out')
  const own = results.flatMap(({ segments }) => segments.flatMap(({ id }) => (/^(?:Z..|DSP)$/.test(id) ? id : [])))
  if (own.length > 0) notes.push(`Segments of the laboratory's own were not read: ${distinct(own).join(', ')}`)
  const commas = commasIn(
    results.flatMap(({ segments, delimiters }) =>
      segments.flatMap((one) => (one.id === 'OBX' ? printedIn(one, delimiters) : [])),
    ),
  )
  const reports = results.flatMap((message) => readReports(message, commas, notes))
  if (!reports.some((one) => one.observations.length > 0 || one.withdrawn || one.specimenRefusals))
    throw new Refusal('NOTHING_FOUND')
  const observed = reports.flatMap(({ observations }) => observations.filter(({ raw }) => isPrinted.test(raw))).length
  const leftOut = others.flatMap(({ segments }) => segments).filter(({ id }) => id === 'OBX').length
  // Counted in the text: a segment that reading loses is missing.
  const printed = text.match(isPrintedObx)?.length ?? 0
  return { format: 'hl7v2', reports, notes: distinct(notes), leftOut, missing: printed - observed - leftOut }
}

const isPrintedObx = /^[ \t]*OBX(?=[^\w\s])/gim
const isPrinted = /^OBX(?=[^\w\s])/i

/** Character sets of MSH-18, HL7 table 0211: "8859/5". */
const charset = /^MSH(.)(?:[^\r\n]*?\1){16}\s*8859\/(\d{1,2})/m

/** Where ISO 2022-JP, which MSH-18 calls ISO IR87, begins its two bytes for each character. */
const japanese = ['\x1b$@', '\x1b$B']

/** Bytes that are no UTF-8 are in the character set that the message names, else in that of Windows. */
function decodeMessage(bytes: Uint8Array): string {
  if (japanese.some((mark) => Buffer.from(bytes).includes(mark))) return new TextDecoder('iso-2022-jp').decode(bytes)
  if (isUtf8(bytes)) return decodeText(bytes)
  const named = charset.exec(Buffer.from(bytes.subarray(0, 4096)).toString('latin1'))?.[2]
  return named === undefined || named === '1' ? decodeText(bytes) : new TextDecoder(`iso-8859-${named}`).decode(bytes)
}

function readReports(message: Message, commas: Commas, notes: string[]): ParsedReport[] {
  const marks = message.delimiters
  const people = message.segments.flatMap((one) => (one.id === 'PID' ? readPatient(one, marks) : []))
  const isOfSeveral = areSeveralPeople(people)
  const groups = groupsOf(message).flatMap((group) => byDayOfResult(group, marks))
  const kits = new Set(groups.flatMap((group) => kitIdOf([group], marks) ?? []))
  const [facts, byDay] = [messageFacts(message), new Map<string, Group[]>()]
  for (const group of groups) {
    // What names no kit is of the only one that the message names, and has no number of its own.
    const sample = (kits.size > 1 ? kitIdOf([group], marks) : otherSampleOf(group, groups, marks)) ?? ''
    const key = `${group.patient?.line ?? 0} ${collectedOf(group, marks) ?? ''} ${sample}`
    byDay.set(key, [...(byDay.get(key) ?? []), group])
  }
  const said = groups.map(({ notes, results }) => notesLines([...notes, ...results.flatMap((one) => one.notes)], marks))
  return [...byDay.values()].map((groups, part) => ({
    ...readReport(groups, marks, commas, notes, {
      zone: zoneOf(message.segments[0], marks),
      sent: facts.sentDate,
      isTest: facts.isTest === true,
      said,
    }),
    message: { ...facts, part, parts: byDay.size },
    ...provenanceIn(groups, message),
    ...(isOfSeveral && { isOfSeveral }),
  }))
}

function messageFacts({ segments: [header], delimiters: marks }: Message): Partial<MessageFacts> {
  if (!header) return {}
  const controlID = cleaned(component(header, marks, 10), 200)
  const sender = cleaned([3, 4].map((field) => repetitions(header, marks, field).join('~')).join('|'), 400)
  const sentDate = hl7Time(component(header, marks, 7), zoneOf(header, marks))
  // HL7 table 0103: P is production, D debugging, T training; of what is not said a live system takes production.
  const isTest = !/^P?$/i.test(component(header, marks, 11)) || repetitions(header, marks, 3).some(isOfTraining)
  return {
    ...(isTest && { isTest: true as const }),
    ...(controlID && { controlID }),
    ...(sender && sender !== '|' && { sender }),
    ...(sentDate && { sentDate }),
  }
}

/** MSH-7 and its zone, and all notes. */
interface Sending {
  said: readonly string[]
  zone: string | undefined
  sent: string | undefined
  isTest: boolean
}

function readReport(
  groups: readonly Group[],
  marks: Delimiters,
  commas: Commas,
  notes: string[],
  sending: Sending,
): ParsedReport {
  const read = withRemarksOnAll(groups.map((group) => readGroup(group, marks, commas, sending)))
  const observations = withAnnulledByName(read, sending.said)
  const requests = groups.flatMap(({ request }) => request ?? [])
  const [first] = groups
  const otherDay = groups.map((group) => otherDayOf(group, marks)).find((day) => day !== undefined)
  const collectedDate = first && otherDay === undefined ? collectedOf(first, marks) : undefined
  const told = first ? daysTold(first, marks).filter(Boolean) : []
  const unreadDay = cleaned(told.find(isNoDay) ?? (collectedDate ? undefined : told[0]), 60)
  const resulted = requests.map((request) => hl7Day(component(request, marks, 22))).filter((day) => day !== undefined)
  const resultedDate = resulted.sort().at(-1)
  const accessions = distinct(requests.map((request) => clean(component(request, marks, 3), 200)).filter(Boolean))
  if (accessions.length > 1) notes.push('A report carries several accession numbers; the first is kept')
  const [kitId, ...others] = kitIdsOf(groups, marks)
  const otherKitIds = distinct([...others, ...kitIdsOfPerson(first?.patient, marks)]).filter((one) => one !== kitId)
  const patient = first?.patient && readPatient(first.patient, marks, sending.zone)
  const requested = requests.map((request) => statusOf(component(request, marks, 25)))
  const info = requests.flatMap((request) => repetitions(request, marks, 13))
  const clinicalInfo = distinct(info.flatMap((text) => cleaned(text.replaceAll(marks.component, ' ')) ?? []))
  const isTakenBack = requests.some((request) => takesBack(request, marks))
  const statuses = [...requested, ...observations.map(({ status }) => status)]
  const refusals = distinct(groups.flatMap((group) => refusalsOf(group, marks)))
  return {
    ...(collectedDate && { collectedDate }),
    ...(unreadDay && { unreadDay }),
    ...(otherDay && { otherDay }),
    ...(resultedDate && { resultedDate }),
    ...(accessions[0] && { accession: accessions[0] }),
    ...(accessions.length > 1 && { otherAccessions: accessions.slice(1, 20) }),
    ...(kitId && { kitId }),
    ...(otherKitIds.length > 0 && { otherKitIds: otherKitIds.slice(0, 20) }),
    ...(patient && { patient }),
    ...(clinicalInfo.length > 0 && { clinicalInfo }),
    status: overallStatus(statuses),
    observations,
    ...(observations.length === 0 && isTakenBack && { withdrawn: true as const }),
    specimenErrors: distinct([
      ...groups.flatMap((group) => specimenErrorsOf(group, marks)),
      ...specimenErrorsOfResults(observations),
    ]),
    ...(refusals.length > 0 && { specimenRefusals: refusals.slice(0, 20) }),
  }
}

function readGroup(group: Group, marks: Delimiters, commas: Commas, { zone, sent, isTest }: Sending): Observation[] {
  const { request, specimens, results, notes: before, broken, isAhead } = group
  const panel = request ? [panelOf(request, marks), component(request, marks, 45, 2)].filter(Boolean).join(', ') : ''
  const told = specimens.flatMap((spm) => [
    ...[1, 2, 9].map((number) => component(spm, marks, 4, number)),
    ...[1, 2].map((number) => component(spm, marks, 6, number)).filter((additive) => /edta/i.test(additive)),
  ])
  const older = request ? (repetitions(request, marks, 15)[0] ?? '').replaceAll(/[^\p{L}\p{N}-]+/gu, ' ') : ''
  const specimen = clean([...told, older].filter((part) => part.trim() !== '').join(' '), 200)
  const section = clean([panel, told.join(' '), older].filter((part) => part.trim() !== '').join(' / '), 200)
  const all = [...before, ...results.flatMap(({ notes }) => notes)]
  const hasLegend = all.some((note) => isStarLegend(repetitions(note, marks, 3).join(' ')))
  const isTakenBack = takesBack(request, marks)
  const requested = request ? component(request, marks, 25) : ''
  const reportedDate = request && hl7Time(component(request, marks, 22), zone)
  const timeIn = (segment: Segment | undefined, field: number) =>
    segment && hl7Time(component(segment, marks, field), zone)
  const collected = timeIn(specimens[0], 17) ?? timeIn(request, 7)
  const received = timeIn(specimens[0], 18) ?? timeIn(request, 14)
  const facts = factsOfGroup({ request, specimens, notes: before }, marks)
  const sites = specimens.map((spm) => siteOf([1, 2, 4, 5, 9].map((number) => component(spm, marks, 8, number))))
  const isOwn = specimens.every((spm) => ownRoles.includes(component(spm, marks, 11).toUpperCase()))
  const notOwn = !isOwn || isNotOwn(specimen) ? 'notOwn' : sites.some((one) => one.isOther) ? 'otherSite' : undefined
  const sited = [specimen, ...sites.flatMap((site) => site.specimen ?? [])].filter(Boolean).join(' ')
  const above = { section, specimen: sited, hasLegend, isTakenBack, requested, facts, notOwn } as const
  const info = request ? repetitions(request, marks, 13) : []
  const titles = [...info, ...before.map((note) => notesText([note], marks))]
  const taken = takenIn(group, marks, zone)
  const read = results.map(({ obx, notes, ...result }, index) => {
    const line = obx.broken ? obx : (result.broken ?? broken)
    const comment = notesLines(notes, marks)
    const said = saidIn(obx, notes, marks)
    const analyzedDate = hl7Time(component(obx, marks, 19), zone)
    const another = [component(obx, marks, 4), ...titles].find((text) => isOfAnother(text) || saysAnother(text))
    const phases = distinctPhases([
      ...(facts.phases ?? []),
      ...phasesIn(linesOf(notes, marks), component(obx, marks, 7)),
    ])
    const observation = {
      ...withFlags(readObx(obx, marks, index + 1, above, commas), flagWordsIn(obx, marks)),
      ...(phases.length > 0 && { phases }),
      ...withHour(otherDayOf(group, marks) ? undefined : (timeIn(obx, 14) ?? collected)),
      ...(reportedDate && { reportedDate }),
      ...{ ...(analyzedDate && { analyzedDate }), ...taken },
      ...{ ...(comment && { comment }), ...(said && { said }) },
    }
    if (line) return withDoubt(observation, 'unreadable', `line ${line.line} has no segment's name: ${line.raw}`)
    if (another) return withDoubt(observation, 'notOwn', another)
    if (observation.doubt === 'contradicted')
      return { because: `the order was cancelled (OBR-25 ${requested})`, ...observation }
    if (isAhead) return withDoubt(observation, 'contradicted', 'it stands before its request (OBR)')
    if (!isUsable(observation.status)) return observation
    const dose = [...titles, comment].find(isAfterDose)
    if (dose) return withDoubt(observation, 'otherSpecimenSection', dose)
    const device =
      [16, 17, 18].flatMap((field) => repetitions(obx, marks, field)).find(isSelfMeasured) ??
      [...titles, comment].find(isSaidSelfMeasured)
    if (device) {
      const by = device.replaceAll(marks.component, ' ')
      return withDoubt(observation, 'contradicted', `not measured by the laboratory: ${by}`)
    }
    const correction = titles.find(
      (note) => observation.value !== undefined && correctionIn(note)?.from === observation.value,
    )
    if (correction) return withDoubt(observation, 'annulled', correction)
    const [observed, analyzed, reported] = [timeIn(obx, 14), analyzedDate, reportedDate]
    const wrong = impossibleTimes({ collected, observed, received, analyzed, reported, sent })
    return wrong ? withDoubt(observation, 'impossibleTimes', wrong) : observation
  })
  const note = read.find(({ comment }) => comment !== undefined && annulsAll(comment))?.comment
  const why = heldBy(group, marks, isTest) ?? (note && { doubt: 'annulled' as const, because: note })
  const waiting = why ? read.map((one) => (isUsable(one.status) ? withDoubt(one, why.doubt, why.because) : one)) : read
  const remark = remarksOn(group, marks)
  const orders = request ? [2, 5].map((part) => component(request, marks, 4, part)) : []
  const own = withControls(withNotesBelow(waiting))
  return withWordsBeside(own.map((one) => withOrder(withUnknown(one, remark), orders)))
}

/** HL7 table 0369: of the patient. Others are control material, replicates as a control, calibrators and pools. */
const ownRoles = ['', 'P']

/** HL7 tables 0490 (reasons for rejecting) and 0493 (conditions). */
const rejects = new Map([
  ['QS', 'QNS' as const],
  ['RH', 'HEMOLYSIS' as const],
  ['HEM', 'HEMOLYSIS' as const],
  ['EX', 'DELAYED_SAMPLE_DELIVERY' as const],
])

function specimenErrorsOf({ specimens, results, notes }: Group, marks: Delimiters) {
  const coded = specimens.flatMap((specimen) =>
    [21, 24].flatMap((field) =>
      repetitions(specimen, marks, field).flatMap((part) => {
        const code = part.split(marks.component)[0] ?? ''
        return rejects.get(code.toUpperCase()) ?? specimenErrorsIn(part.replaceAll(marks.component, ' '))
      }),
    ),
  )
  const words = [
    ...results.flatMap(({ obx }) => (component(obx, marks, 2) === 'NM' ? [] : repetitions(obx, marks, 5))),
    ...results.flatMap(({ obx }) => (component(obx, marks, 11) === 'X' ? repetitions(obx, marks, 5) : [])),
    ...notes.flatMap((note) => repetitions(note, marks, 3)),
  ]
  const beside = results.flatMap((result) => result.notes.flatMap((note) => repetitions(note, marks, 3)))
  return [
    ...coded,
    ...words.flatMap((text) => specimenErrorsIn(text)),
    ...beside.flatMap((text) => specimenErrorsIn(text, { isBeside: true })),
  ]
}
