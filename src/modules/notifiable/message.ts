import { isZipOfState } from '@kitlane/display/postcodes'
import { elrOf } from '@kitlane/lab-reader/elr/message'
import { violationsOf } from '@kitlane/lab-reader/elr/validate'
import { differencesOf } from '@kitlane/lab-reader/parse/person'
import type { Tx } from '../../platform/database/tx.ts'
import { VERSION } from '../../platform/package-root.ts'
import * as customers from '../customers/service.ts'
import { selectKitsByIds } from '../kits/queries.ts'
import { personOf, placeOf } from '../lab-orders/compose.ts'
import type { Registered } from '../lab-orders/content.ts'
import { selectOfKit } from '../lab-orders/queries.ts'
import { selectApprovalsOfKits } from '../orders/queries.ts'
import { selectProfiles } from '../reports/origin/queries.ts'
import { completed, emptyOrigin } from '../reports/origin/rules.ts'
import type { StandingReport } from '../reports/queries.ts'
import type { BiomarkerEntry } from '../reports/schema.ts'
import { type NoticeRow, selectSettings, stripped } from './queries.ts'
import type { NoticeEntry } from './results.ts'
import {
  type Completed,
  type Facts,
  isOtherPerson,
  next,
  type Report,
  type Said,
  type Source,
  statusOf,
  vitalIn,
} from './rules.ts'
import type { Authority, Reason } from './schema.ts'

/** All that a message says beside the result. */
export async function factsOf(tx: Tx, { kitId, customerId, origin }: Report): Promise<Facts> {
  const [kit] = kitId === null ? [] : await selectKitsByIds(tx, [kitId])
  const customer = await customers.maybeFind(tx, customerId)
  const { firstName, lastName, dateOfBirth, gender: sex } = customer ?? {}
  const own = { customerId, registration: { firstName, lastName, dateOfBirth, sex } }
  const registered = await personOf(tx, kit ? { ...kit, customerId: null } : own)
  // People who share an e-mail and a birthday are one customer: of another one nothing but the registration counts.
  const isOther = kit !== undefined && customer !== undefined && isSomebodyElse(registered, customer)
  const said = isOther ? registered : await personOf(tx, kit ?? own)
  const isSentTo = kit && !differencesOf({ name: nameOf(kit) }, { name: nameOf(registered) }).includes('name')
  const sentTo = isSentTo || !isOther ? kit?.sentTo : null
  const { country, state } = kit ? placeOf(said, { ...kit, sentTo: sentTo ?? null }) : said
  const isAsSent = state !== undefined && said.state === undefined
  const { street1, street2, city } = (isAsSent && isSentTo && sentTo) || {}
  const recipient = { addressLine1: street1, addressLine2: street2, city }
  const person = {
    ...said,
    ...(isAsSent && recipient),
    state,
    zip: said.zip ?? (isAsSent ? sentTo?.zip : undefined),
  } as Registered
  const { zip } = person
  const isContradicted = country === 'US' && !!zip && !!state && !isZipOfState(zip, state.toUpperCase())
  const approval = kit && (await selectApprovalsOfKits(tx, [kit.id])).get(kit.id)
  const filler = kit?.hasLabOrder ? (await selectOfKit(tx, kit.id))?.fillerNumber : null
  return {
    ...{ person, approval, filler: filler ?? null, race: isOther ? null : (customer?.race ?? null) },
    // Where a kit was sent to is not known to be a home.
    isMailing: isAsSent,
    arrived: kit?.progress.sampleReceived ?? null,
    // A profile may have been entered since the report was written.
    laboratories: completed(origin ?? emptyOrigin, await selectProfiles(tx), kit !== undefined).laboratories,
    place: { country, state: isContradicted ? undefined : state },
    // Of two people with one number an authority would make one.
    personNumber: isOther && kitId !== null ? kitId : String(customerId),
  }
}

const nameOf = ({ firstName, lastName }: { firstName: string | null; lastName: string | null }) =>
  `${firstName ?? ''} ${lastName ?? ''}`.trim()

/** Whether a registration is of another person than the customer, by name or sex. */
const isSomebodyElse = (registered: Registered, { name, gender }: Pick<customers.CustomerRow, 'name' | 'gender'>) =>
  differencesOf(
    { name: nameOf(registered), ...(registered.sex && { sex: registered.sex }) },
    { name, ...((gender === 'M' || gender === 'F') && { sex: gender }) },
  ).length > 0

export type Settings = Awaited<ReturnType<typeof selectSettings>>

/** Where a result comes from: as the laboratory says of it, or of its report, or else a person. */
function sourceOf(
  { origin, ...report }: Report,
  { arrived, laboratories }: Facts,
  { entry, completed = {} }: { entry: BiomarkerEntry; completed?: Completed | undefined },
): Source {
  const { specimens = [], reportedDate } = origin ?? {}
  // Of several, nothing says which.
  const sent = entry.sent?.specimen ?? (specimens.length === 1 ? specimens[0] : undefined)
  const specimen = completed.specimen ? { ...sent, codes: [], source: completed.specimen } : sent
  // Of the sample what is said of the sample counts; of its day alone the result may say the hour.
  const [day = '', given] = [specimen?.collectedDate, entry.sent?.collectedDate]
  const own = laboratories.find(({ name }) => name === entry.said?.laboratory)
  return {
    laboratory: own ?? (laboratories.length === 1 ? laboratories[0] : undefined),
    specimen,
    collected: completed.collectedDate ?? (given?.startsWith(day) ? given : day || report.collectedDate),
    received: completed.receivedDate ?? specimen?.receivedDate ?? arrived,
    resulted: reportedDate ? report.resultedDate : null,
  }
}

/** Whether the laboratory named several samples, and not which one a result is of. */
const isOfSeveral = ({ origin }: Report, { sent }: BiomarkerEntry): boolean =>
  sent?.specimen === undefined && (origin?.specimens.length ?? 0) > 1

/** A message about a result, and what it lacks. */
function messageOf(
  tx: Tx,
  report: Report,
  facts: Facts,
  about: {
    id: string
    source: Source
    entry: BiomarkerEntry
    authority: Authority
    sender: Settings['sender']
    status: 'F' | 'P' | 'C' | 'W'
  },
) {
  const { reportedDate } = report.origin ?? {}
  const isZoned = /T.*(Z|[+-]\d\d:\d\d)$/.test(reportedDate ?? '')
  const text = elrOf({
    ...{ ...about, ...facts, ...about.source, release: VERSION, controlId: about.id, at: tx.now },
    number: report.kitId ?? report.id ?? '',
    provider:
      facts.approval ??
      (about.sender?.provider && { provider: about.sender.provider.name, npi: about.sender.provider.npi }),
    reported: isZoned && reportedDate ? reportedDate : tx.now.toISOString(),
  })
  return { text, problems: violationsOf(text).map(({ words }) => words) }
}

export const SEND_JOB = 'notifiable.send'
/** The key of a result that the report does not have any more, and nobody knows which sample that is of. */
export const WITHDRAWN_IN_DOUBT = 'withdrawn?'

export interface Around {
  report: Report
  facts: Facts
  settings: Settings
  /** What was told is in doubt from now on. */
  isNewDoubt?: boolean
  /** When the laboratory's message came, where a person put it on its kit later. */
  receivedAt?: Date | undefined
}

/** A kit that has no report yet. */
export const bareOf = (kitId: string | null, customerId: number | null): Report | undefined =>
  customerId === null
    ? undefined
    : { id: null, kitId, customerId, collectedDate: null, resultedDate: null, entries: [] }

/** The notice with its message, if one is to be sent: it waits where that breaks a rule of the guide, or nobody can be sent it. */
export async function made(tx: Tx, { report, facts, settings }: Around, before: NoticeRow): Promise<NoticeRow> {
  const authority = settings.authorities.find(({ id }) => id === before.authorityId)
  const isOff = authority?.isActive === false
  if (before.isOpen) return isOff ? { ...before, ...OFF, dueAt: null } : goingOn(tx, before)
  const { firstName, lastName, dateOfBirth, sex } = facts.person
  const kept = { report: { ...report, entries: [] }, facts }
  const row = corrected({ ...before, person: { firstName, lastName, dateOfBirth, sex }, kept })
  const isToMake = row.state === 'due' || madeAgain.includes(row.reason)
  const isClosed = !['due', 'waiting', 'refused'].includes(row.state)
  if (!authority || !row.entry || isClosed) {
    const isUnknown = isToMake && !isClosed
    const text = isClosed ? null : row.text
    return {
      ...row,
      text,
      kept: isClosed ? null : kept,
      dueAt: null,
      ...(isUnknown && { state: 'waiting' as const, reason: 'noAuthority' as const }),
    }
  }
  const { completed, said } = row
  const entry = numbered(row.entry, said)
  const status = statusOf({ ...row, entry })
  const asTold = status === 'W' ? said?.source : undefined
  const source = asTold ?? sourceOf(report, facts, { entry, completed: completed ?? undefined })
  const id = `${row.id}.${row.messages + 1}`
  const message = messageOf(tx, report, facts, { id, source, entry, authority, sender: settings.sender, status })
  // There is no result that could be sent: a person reads it, and tells it.
  if (entry.unassessed !== undefined) return { ...row, text: message.text, problems: [], dueAt: null }
  const whole = { ...row, entry, ...message, source }
  const isAsIs = row.insisted?.isAsIs && row.insisted.key === row.now.key && vitalIn(message.problems).length === 0
  const isUnclear = isOfSeveral(report, entry) && !completed?.specimen
  const wait = isOff
    ? OFF.reason
    : message.problems.length > 0 && (isUnclear || !isAsIs)
      ? isUnclear
        ? 'severalSpecimens'
        : 'incomplete'
      : authority.transport.kind === 'byHand'
        ? 'onlyByHand'
        : null
  if (!isToMake) return { ...whole, dueAt: null }
  if (wait) return { ...whole, state: 'waiting', reason: wait, dueAt: null }
  await tx.enqueue(SEND_JOB, {})
  return { ...whole, state: 'due', reason: null, dueAt: tx.now, tries: 0 }
}

/** A result under the number of the request with which it was told: by that its correction is known. */
const numbered = (entry: NoticeEntry, said: Said | null): NoticeEntry => {
  const { fillerNumber, fillerAssigner } = said?.entry?.sent ?? {}
  return said?.entry && entry.sent ? { ...entry, sent: { ...entry.sent, fillerNumber, fillerAssigner } } : entry
}

const OFF = { state: 'waiting', reason: 'authorityOff' } as const
const madeAgain: readonly (Reason | null)[] = [
  'incomplete',
  'severalSpecimens',
  'onlyByHand',
  'noAuthority',
  OFF.reason,
]

/** What waits for its answer is sent again as it is, also once its authority is switched on again. */
async function goingOn(tx: Tx, row: NoticeRow): Promise<NoticeRow> {
  if (row.dueAt !== null || !row.said) return row
  await tx.enqueue(SEND_JOB, {})
  const due = { ...row, key: row.said.key, state: 'due', reason: null } as const
  const { state, reason } = next(due, row.now) ?? due
  return { ...row, state, reason, dueAt: tx.now }
}

/** What was told of somebody whose name, birth or sex was corrected since is told again: as a correction, or by a person. */
function corrected(row: NoticeRow): NoticeRow {
  const { said, state, person } = row
  const isTold = state === 'sent' || state === 'accepted' || state === 'byHand'
  if (!said || !isTold || row.now.is !== 'notifiable' || !isOtherPerson(said.person, person ?? undefined)) return row
  return said.state === 'byHand'
    ? { ...row, state: 'waiting', reason: 'changedSince' }
    : { ...row, state: 'due', reason: null }
}

/** Makes the message of a locked notice again, of what its report says now. */
export async function remade(tx: Tx, report: StandingReport | undefined, row: NoticeRow): Promise<NoticeRow> {
  const of =
    report ??
    (row.reportId === null && (await customers.maybeFind(tx, row.customerId))
      ? bareOf(row.kitId, row.customerId)
      : undefined)
  const settings = await selectSettings(tx)
  if (of) return made(tx, { report: of, facts: await factsOf(tx, of), settings }, row)
  // Its person was erased: it is made of what was kept of them, and emptied once it is told.
  return stripped(row.kept ? await made(tx, { ...row.kept, settings }, row) : row)
}
