import { isNearlyKit, kitIdOfNumber } from '@kitlane/display/short-id'
import { isVetoed } from '../../facts/guarded-match.ts'
import { isBefore } from '../../standing/laboratory-time.ts'
import { annuls } from '../annulling.ts'
import { hl7Day, hl7Time } from '../date.ts'
import { interferentsIn } from '../interference.ts'
import { isProse } from '../remark.ts'
import { isSelfMeasured } from '../sample-words.ts'
import { distinct, isOrderOfAnother } from '../specimen-words.ts'
import { cleaned } from '../text.ts'
import { component, type Delimiters, type Message, repetitions, type Segment, wordsIn } from './message.ts'
import { statusOf } from './observation.ts'

export interface Group {
  patient?: Segment
  order?: Segment
  request?: Segment
  specimens: Segment[]
  results: { obx: Segment; notes: Segment[]; broken?: Segment }[]
  notes: Segment[]
  /** A segment above or in it that cannot be read: what it would change is not known. */
  broken?: Segment | undefined
  /** Its results stand before the first request of their message, which may be theirs. */
  isAhead?: true
}

export function typeOf({ segments: [header], delimiters }: Message): string {
  return header ? component(header, delimiters, 9).toUpperCase() : ''
}
/** HL7 table 0123: Y is no order, Z no person on record. */
export const takesBack = (request: Segment | undefined, marks: Delimiters): boolean => {
  const code = request ? component(request, marks, 25) : ''
  return /^[YZ]$/i.test(code) || ['cancelled', 'entered-in-error'].includes(statusOf(code))
}

const isResult = (message: Message) => ['ORU', 'OUL'].includes(typeOf(message))

/** A group whose request and specimens say no day has those of its results. */
export function byDayOfResult(group: Group, marks: Delimiters): Group[] {
  if (collectedOf({ ...group, results: [] }, marks) !== undefined) return [group]
  const byDay = Map.groupBy(group.results, ({ obx }) => hl7Day(component(obx, marks, 14)))
  return byDay.size > 1 ? [...byDay.values()].map((results) => ({ ...group, results })) : [group]
}

/** Segments that say more of the one above them: a note below them is on that one. */
const beside = /^(?:Z..|PRT|TCD|SID|INV|CTI|CTD|ROL|TQ[12]|SAC|DSP)$/

/** What a segment of the laboratory's own writes in words is a note like any other; codes and addresses are none. */
function ownNote(segment: Segment, marks: Delimiters): Segment | undefined {
  if (!/^(?:Z..|DSP|PRT)$/.test(segment.id)) return undefined
  const told = segment.fields.slice(1).flatMap((_, at) => repetitions(segment, marks, at + 1))
  const words = told.filter((text) =>
    /\p{L}\s+\S*\p{L}/u.test(text)
      ? annuls(text) || isProse(text) || isSelfMeasured(text) || interferentsIn(text).length > 0
      : /^\p{L}{6,}$/u.test(text) && annuls(text),
  )
  const { line, raw } = segment
  const text = words.map((one) => one.replaceAll(marks.repetition, ' ')).join('. ')
  return words.length === 0 ? undefined : { id: 'NTE', line, raw, fields: ['NTE', '', '', text] }
}

/** ORU writes the specimen behind its results, OUL before the request. */
export function groupsOf(message: Message): Group[] {
  const specimenFirst = typeOf(message) === 'OUL'
  const groups: Group[] = []
  let patient: Segment | undefined
  let order: Segment | undefined
  let specimens: Segment[] = []
  // Notes on the person or the order stand before what they are about: those on the person are of all that follows.
  let before: Segment[] = []
  let ofPerson: Segment[] = []
  let last = ''
  const unread = new Map<string, Segment>()
  const start = (request?: Segment): Group => {
    const group = {
      patient,
      order,
      request,
      specimens: [...specimens],
      results: [],
      notes: [...ofPerson, ...before],
      broken: [...unread.values()][0],
    }
    groups.push(group)
    before = []
    return group
  }
  for (const segment of message.segments) {
    const group = groups.at(-1)
    const result = group?.results.at(-1)
    if (segment.broken === 'NTE' && last === 'OBX' && result) result.broken = segment
    else if (segment.broken && segment.broken !== 'OBX') {
      unread.set(segment.broken, segment)
      if (segment.broken === 'OBR') start()
      else if (group) group.broken = segment
    } else unread.delete(segment.id)
    if (segment.broken && segment.broken !== 'OBX') continue
    const own = ownNote(segment, message.delimiters)
    if (beside.test(segment.id) && !own) continue
    if (segment.id === 'NTE' || own) {
      const note = own ?? segment
      if (last === 'OBX') group?.results.at(-1)?.notes.push(note)
      else if (group && ['OBR', 'SPM'].includes(last)) group.notes.push(note)
      else if (['MSH', 'PID', 'PD1', 'PV1', 'PV2'].includes(last)) ofPerson.push(note)
      else before.push(note)
      continue
    }
    // OUL^R22 writes the order behind its request.
    const isBehind = specimenFirst && segment.id === 'ORC' && last === 'OBR'
    last = segment.broken ?? segment.id
    if (segment.id === 'PID') {
      patient = segment
      ofPerson = []
    } else if (isBehind && group) group.order = segment
    else if (segment.id === 'ORC') order = segment
    else if (segment.id === 'SPM' && (specimenFirst || !group)) specimens = [segment]
    else if (segment.id === 'SPM') group?.specimens.push(segment)
    else if (segment.id === 'OBR') start(asOwn(segment, patient, message.delimiters))
    else if (last === 'OBX') (group ?? start()).results.push({ obx: segment, notes: [] })
  }
  groups.at(-1)?.notes.push(...before)
  const isLate = groups.some(({ request }) => request !== undefined)
  return groups.map((group) => ({
    ...group,
    ...(isLate && !group.request && { isAhead: true }),
    ...(group.request && { request: asOrderedLast(group.request, groups, message.delimiters) }),
  }))
}

const ofNewborns =
  /,?\s*(?<!\p{L})(?:newborns?|neonat(?:e|es|al)|infants?|bab(?:y|ies)|neugeborenen?|säuglinge?|nouveaux?-nés?|recién nacidos?|neonat[oi])(?!\p{L})/giu
const ofOthers =
  /(?<!\p{L})(?:of|for|von|de|di|mothers?|maternal|fathers?|paternal|parents?|donors?|twins?|siblings?|mutter|mère|madre|cord)(?!\p{L})/iu
const DAYS_OF_INFANTS = 366

/** What is ordered for newborns is the person's own where the person was born in the year before. */
function asOwn(request: Segment, patient: Segment | undefined, marks: Delimiters): Segment {
  const [born, taken] = [patient && component(patient, marks, 7), component(request, marks, 7)].map((text) =>
    Date.parse(hl7Day(text ?? '') ?? ''),
  ) as [number, number]
  const days = (taken - born) / (24 * 3_600_000)
  const title = request.fields[4] ?? ''
  // The card of dried blood from the heel has limits of its own.
  const isScreen = /screen|guthrie/i.test(title)
  if (!(days >= 0 && days <= DAYS_OF_INFANTS) || isScreen || ofOthers.test(title)) return request
  return { ...request, fields: Object.assign([...request.fields], { 4: title.replace(ofNewborns, '') }) }
}

/** HL7 tables 0119 and 0038: cancelled, discontinued, replaced, on hold or in error. */
export function takenBackBy(orc: Segment, marks: Delimiters): string | undefined {
  const [control, status] = [1, 5].map((field) => component(orc, marks, field).toUpperCase())
  if (['CA', 'OC', 'CR', 'DC', 'OD', 'DR', 'RU'].includes(control ?? '')) return `ORC-1 ${control}`
  if (['CA', 'DC', 'ER', 'HD', 'RP'].includes(status ?? '')) return `ORC-5 ${status}`
  const reason = wordsIn(orc, marks, 16)
  return annuls(reason) ? `ORC-16 ${reason}` : undefined
}

/** A request that comes without results, cancelled or taken back, by itself or by its order. */
const cancels = ({ request, order, results }: Group, marks: Delimiters): boolean =>
  results.length === 0 &&
  (takesBack(request, marks) || (order !== undefined && takenBackBy(order, marks) !== undefined))

const isOfSameOrder = (one: Segment, other: Segment | undefined, marks: Delimiters): boolean =>
  [3, 2].some((number) => other && component(one, marks, number) !== '' && areSame(one, other, [number, 4], marks))
const areSame = (one: Segment, other: Segment, fields: readonly number[], marks: Delimiters): boolean =>
  fields.every((field) => component(other, marks, field) === component(one, marks, field))

const asCancelled = (request: Segment): Segment => ({
  ...request,
  fields: Object.assign([...request.fields], { 25: 'X' }),
})

/** A request with the status under which it comes again without results, where that takes it back. */
const asOrderedLast = (request: Segment, groups: readonly Group[], marks: Delimiters): Segment =>
  groups.some((other) => cancels(other, marks) && isOfSameOrder(request, other.request, marks))
    ? asCancelled(request)
    : request

/** The messages of a file with results, and the others. */
export const byResults = (messages: readonly Message[]): { results: Message[]; others: Message[] } => ({
  results: withCancelled(messages.filter(isResult)),
  others: messages.filter((message) => !isResult(message)),
})

/** The messages of a file, with requests as cancelled that another message, which is not older for certain, cancels. */
function withCancelled(messages: readonly Message[]): Message[] {
  const cancelling = messages.flatMap((message) =>
    groupsOf(message).flatMap((group) =>
      group.request && cancels(group, message.delimiters) ? { message, request: group.request } : [],
    ),
  )
  const timeOf = ({ segments: [header], delimiters }: Message, request: Segment) =>
    hl7Time(component(request, delimiters, 22), undefined) ??
    (header && hl7Time(component(header, delimiters, 7), undefined))
  return messages.map((message) => ({
    ...message,
    segments: message.segments.map((one) => {
      const isCancelled = cancelling.some(
        (other) =>
          one.id === 'OBR' &&
          other.message !== message &&
          isOfSameOrder(one, other.request, message.delimiters) &&
          !isBefore(timeOf(other.message, other.request), timeOf(message, one)),
      )
      return isCancelled ? asCancelled(one) : one
    }),
  }))
}

export const collectedOf = (group: Group, marks: Delimiters): string | undefined =>
  daysTold(group, marks)
    .map(hl7Day)
    .find((day) => day !== undefined)

export const daysTold = ({ specimens, request, results }: Group, marks: Delimiters): string[] => [
  ...specimens.map((specimen) => component(specimen, marks, 17)),
  request ? component(request, marks, 7) : '',
  ...results.map(({ obx }) => component(obx, marks, 14)),
]

/** The day of the request where it is not that of any specimen, and neither is known to be true: a night may be one of time zones. */
export function otherDayOf({ specimens, request }: Group, marks: Delimiters): string | undefined {
  const day = request && hl7Day(component(request, marks, 7))
  const taken = specimens.flatMap((one) => hl7Day(component(one, marks, 17)) ?? [])
  const isFar = (one: string) => day !== undefined && Math.abs(Date.parse(one) - Date.parse(day)) > 24 * 3_600_000
  return taken.length > 0 && taken.every(isFar) ? day : undefined
}

/** The fields that may hold the kit's ID: placer and filler numbers, and the specimen's ID. */
export function kitIdOf(groups: readonly Group[], marks: Delimiters): string | undefined {
  return kitIdsOf(groups, marks)[0]
}

export function kitIdsOf(groups: readonly Group[], marks: Delimiters): string[] {
  const told = groups.flatMap(({ order, request, specimens }) => [
    ...[order, request].flatMap((segment) => (segment ? [2, 3].map((field) => component(segment, marks, field)) : [])),
    ...specimens.flatMap((specimen) => [1, 2].map((number) => component(specimen, marks, 2, number))),
  ])
  return distinct(told.flatMap((one) => kitIdOfNumber(one) ?? []))
}

/** The number of another sample than a kit's in a group that names no kit: in SPM-2, or nearly the ID of a kit. */
export function otherSampleOf(group: Group, all: readonly Group[], marks: Delimiters): string | undefined {
  const kits = kitIdsOf(all, marks)
  if (kits.length === 0 || kitIdOf([group], marks) !== undefined) return undefined
  const known = new Set(
    all.filter((one) => kitIdOf([one], marks) !== undefined).flatMap((one) => samplesOf(one, marks)),
  )
  const numbers = [group.order, group.request].flatMap((one) =>
    one ? [2, 3].map((at) => component(one, marks, at)) : [],
  )
  const mistyped = numbers.find((number) => kits.some((kit) => isNearlyKit(number, kit)))
  return mistyped ?? (known.size > 0 ? samplesOf(group, marks).find((number) => !known.has(number)) : undefined)
}

const samplesOf = ({ specimens }: Group, marks: Delimiters): string[] =>
  specimens.flatMap((one) => cleaned([1, 2].map((number) => component(one, marks, 2, number)).join(' '), 200) ?? [])

/** What was ordered, by OBR-4; its second name counts where it says more of whose it is, or of what. */
export function panelOf(request: Segment, marks: Delimiters): string {
  const [code = '', name = '', other = ''] = [1, 2, 5].map((at) => component(request, marks, 4, at))
  return [name || code, isOrderOfAnother(other) || isVetoed(other) ? other : ''].filter(Boolean).join(', ')
}
