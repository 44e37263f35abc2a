import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import * as audit from '../audit/service.ts'
import { findPanel } from '../catalogue/service.ts'
import type { ChangedKit } from '../kits/changed-kit.ts'
import { announceFact, lockKit } from '../kits/move.ts'
import { type KitRow, markCollection, selectKitsByIds } from '../kits/queries.ts'
import { kitNotFound, stateOf } from '../kits/records.ts'
import { illegal } from '../kits/rules.ts'
import type { RegisterInput } from '../kits/schema.ts'
import {
  type CollectionRow,
  deleteCollections,
  type Said,
  saveCollection,
  selectCollections,
  selectOfCustomer,
} from './queries.ts'
import { type Answers, answerProblems, askedOf, type DoseBounds, fitting, lenientAnswers } from './questions.ts'
import type { Giver, KitCollection } from './schema.ts'
import {
  type GivenTime,
  isZone,
  localTime,
  momentOf,
  precisionOf,
  type TimeProblem,
  timeProblem,
  timestampOf,
} from './time.ts'

const personOf = ({ registration }: KitRow) => (registration ?? {}) as Partial<RegisterInput>

/** What the person of a kit is asked. */
export async function questionsOf(tx: Tx, kit: KitRow) {
  return askedOf((await findPanel(tx, kit.kitType)).questions, personOf(kit).sex)
}

/** What counts of what was said of the sample of a kit; undefined where nothing was said. */
export async function maybeFind(tx: Tx, kit: KitRow): Promise<CollectionRow | undefined> {
  const [row] = kit.hasCollection ? await selectCollections(tx, [kit.id]) : []
  return row && { ...row, answers: fitting(row.answers, personOf(kit).sex) }
}

/** What is asked and was said of the sample of a kit. `withAnswers`: for who may read results. @throws KIT_NOT_FOUND */
export async function find(tx: Tx, kitId: string, show: { withAnswers: boolean }): Promise<KitCollection> {
  const [kit] = await selectKitsByIds(tx, [kitId])
  if (!kit) throw kitNotFound()
  return shown(await maybeFind(tx, kit), { kitID: kitId, questions: await questionsOf(tx, kit) }, show)
}

function shown(
  row: CollectionRow | undefined,
  beside: Pick<KitCollection, 'kitID' | 'questions'>,
  { withAnswers }: { withAnswers: boolean },
): KitCollection {
  if (!row) return beside
  const { collectedDate, zone, givenBy, changedAt, answers } = row
  return {
    ...beside,
    ...{ collectedDate, zone, givenBy, changedDate: changedAt.toISOString() },
    ...(precisionOf(row) === 'time' && { collectedTime: timestampOf(momentOf(row)) }),
    ...(withAnswers && { answers }),
  }
}

/** All that a person said of their samples, for their export. */
export async function findOfCustomer(tx: Tx, customerId: number): Promise<KitCollection[]> {
  const rows = await selectOfCustomer(tx, customerId)
  return Promise.all(
    rows.map(async (row) => ({
      ...(await find(tx, row.kitId, { withAnswers: false })),
      answers: row.answers,
    })),
  )
}

/** What somebody said of their sample goes with them, where a kit begins again for another person. */
export async function afterKitChanges(tx: Tx, changed: readonly ChangedKit[]): Promise<void> {
  const left = changed.filter(
    ({ before, after }) => before.customerId !== null && after.customerId !== before.customerId,
  )
  if (left.length > 0)
    await deleteCollections(
      tx,
      left.map(({ after }) => after.id),
    )
}

/** When a kit was ordered: one of another vendor was before it came here. */
export const orderedOf = ({ progress, createdAt }: KitRow): Date => new Date(progress.orderPlaced ?? createdAt)

/** When the kit was with its person at the earliest. A step that the registration only filled in has its time, and tells nothing. */
function arrivedOf(kit: KitRow): Date {
  const { kitDelivered, kitInTransit, kitRegistered } = kit.progress
  const step = [kitDelivered, kitInTransit].find((one) => one !== undefined && one !== kitRegistered)
  return step === undefined ? orderedOf(kit) : new Date(step)
}

/** Why somebody cannot say now what their sample is; undefined: they can. */
export function whyNot(kit: KitRow, by: Giver): string | undefined {
  if (kit.customerId === null) return 'Nobody is registered for this kit: register it first'
  const isReceived = kit.progress.sampleReceived !== undefined
  return isReceived && by !== 'operator'
    ? 'The laboratory has the sample: ask the operator to correct what was said of it'
    : undefined
}

/**
 * Keeps what was said of the sample of a kit, in place of what was said before; the same again changes nothing.
 * @throws KIT_NOT_FOUND; ILLEGAL_TRANSITION before the registration, and once the sample is received, but for the operator;
 * VALIDATION_FAILED
 */
export async function give(
  tx: Tx,
  kitId: string,
  said: GivenTime & { answers: Answers },
  by: Giver,
): Promise<KitCollection> {
  const kit = await lockKit(tx, kitId)
  const refused = whyNot(kit, by)
  if (refused) throw illegal(stateOf(kit), 'collection', refused)
  const questions = await questionsOf(tx, kit)
  const problem = problemOfTime(tx, kit, said)
  const answers = lenientAnswers(questions, said.answers)
  const wrong = answerProblems(questions, answers, said.collectedDate, doseBounds(tx, kit, said))
  const details = wrong.map(({ id, message }) => ({ message, path: `answers.${id}` }))
  if (problem || details.length > 0)
    refuse([...(problem ? [{ message: problem.message, path: 'collectedDate' }] : []), ...details])
  const row = await keep(tx, kit, { ...said, answers }, by)
  return shown(row, { kitID: kitId, questions }, { withAnswers: true })
}

/** Keeps the day that was given for the sample of a locked kit, where nothing was said of it. */
export async function giveDay(tx: Tx, kit: KitRow, collectedDate: string, by: Giver): Promise<void> {
  if (!(await maybeFind(tx, kit))) await keep(tx, kit, { collectedDate, answers: {} }, by)
}

async function keep(tx: Tx, kit: KitRow, said: Said, by: Giver): Promise<CollectionRow> {
  const { collectedDate, zone, offset, answers } = said
  const before = await maybeFind(tx, kit)
  const now = { collectedDate, ...(zone && { zone }), ...(offset && { offset }), answers }
  const row = { kitId: kit.id, givenAt: before?.givenAt ?? tx.now, changedAt: tx.now, givenBy: by, ...now }
  if (before && isDeepStrictEqual(row, { ...before, changedAt: tx.now, givenBy: by })) return before
  await saveCollection(tx, row)
  if (!kit.hasCollection) await markCollection(tx, kit.id)
  await audit.record(tx, [entryOf(row, before)])
  await announceFact(tx, [kit.id], 'collection')
  return row
}

/** A time without a zone may be of the latest one. */
export const doseBounds = (tx: Tx, kit: KitRow, { zone }: Pick<GivenTime, 'zone'>): DoseBounds => ({
  born: personOf(kit).dateOfBirth,
  now: localTime(tx.now, zone && isZone(zone) ? zone : '+14:00'),
})

/** Why a sample was not taken then. */
export function problemOfTime(tx: Tx, kit: KitRow, given: GivenTime): TimeProblem | undefined {
  const { sampleReceived } = kit.progress
  return timeProblem(given, {
    now: tx.now,
    born: personOf(kit).dateOfBirth,
    arrived: arrivedOf(kit),
    received: sampleReceived === undefined ? undefined : new Date(sampleReceived),
  })
}

/** The audit has the times, sealed, and which answers changed: never what was answered. */
function entryOf(row: CollectionRow, before: CollectionRow | undefined): audit.AuditEntry {
  const asText = ({ collectedDate, zone, offset }: GivenTime) => [collectedDate, zone, offset].filter(Boolean).join(' ')
  const ids = new Set([...Object.keys(row.answers), ...Object.keys(before?.answers ?? {})])
  const changed = [...ids].filter((id) => !isDeepStrictEqual(row.answers[id], before?.answers[id]))
  return {
    action: before ? 'kit.collection_corrected' : 'kit.collection_given',
    objectType: 'kit',
    objectId: row.kitId,
    details: { by: row.givenBy, ...(changed.length > 0 && { answers: changed }) },
    words: { collected: asText(row), ...(before && { before: asText(before) }) },
  }
}
