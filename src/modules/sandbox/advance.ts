import { randomFraction } from '../../domain/ids.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import { settings } from '../businesses/service.ts'
import { findPanel } from '../catalogue/service.ts'
import { begin } from '../holds/record.ts'
import { lockKit, moveKit } from '../kits/move.ts'
import type { KitRow } from '../kits/queries.ts'
import { isReportHeld } from '../kits/recall-queries.ts'
import { findKit, stateOf } from '../kits/records.ts'
import { consent, registerKit } from '../kits/register.ts'
import * as rules from '../kits/rules.ts'
import type { KitRecord, RegisterInput, Shipment } from '../kits/schema.ts'
import { play } from '../lab-orders/service.ts'
import { playRecall } from '../recalls/follow.ts'
import { acknowledgeMock } from '../reports/critical/service.ts'
import { publishReportOfKit } from '../reports/versions/publish.ts'
import { rejectReportOfKit, removeReportOfKit } from '../reports/versions/remove.ts'
import { recordHappened } from '../undelivered/record.ts'
import { isAskedAbout, maybeFindRow } from '../undelivered/service.ts'
import { type Delivery, deliverResults, sayOfMock } from './results.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import type { AdvanceInput } from './schema.ts'

/**
 * Moves a mock kit to any status by the same calls as a live one. Forward, the steps between are filled in: registration
 * makes a person, reportReady a report. Backward, the steps after it are taken back. The status that it has changes nothing.
 * @throws KIT_NOT_FOUND; ILLEGAL_TRANSITION for a canceled kit; VALIDATION_FAILED
 */
export async function advanceKit(tx: Tx, kitId: string, input: AdvanceInput): Promise<KitRecord> {
  const { status: to, results: exact, reason } = input
  if (exact && to !== 'reportReady') refuse([{ message: 'Results come with reportReady only', path: 'results' }])
  const state = stateOf(await lockKit(tx, kitId))
  if (!rules.allowed(state).includes(to)) {
    if (rules.current(state) === to) return findKit(tx, kitId)
    if (rules.exceptionOf(state) === 'canceled')
      throw rules.illegal(state, to, 'A canceled kit goes nowhere; order another one')
    if (to !== 'reportReady' && !rules.passesRegistration(state, to)) return goBack(tx, kitId, to, reason)
    await restart(tx, kitId, 'sampleReceived')
  }
  return goForward(tx, kitId, to, { exact, reason })
}

/** Plays a scenario with a mock kit, wherever it is; one that is past it starts again. @throws KIT_NOT_FOUND */
export async function runScenario(tx: Tx, kitId: string, name: ScenarioName): Promise<KitRecord> {
  const scenario: Scenario = scenarioOf(name)
  const { status: to, results, reason, box, holds, order, isSaid, isRecalled } = scenario
  // Of a kit that was recalled nothing is shown any more.
  if (await isReportHeld(tx, kitId)) await restart(tx, kitId, 'orderPlaced')
  const kit = await lockKit(tx, kitId)
  const isResulted = kit.sampleStatus === 'resulted' && kit.status !== 'rejected'
  if (!(scenario.publish && isResulted)) {
    const settled = box && (await maybeFindRow(tx, kitId))
    // Of a box that was given up nothing is chosen any more.
    const isOver = settled?.state === 'replaced' || settled?.state === 'closed'
    const isPast = isOver || !rules.allowed(stateOf(kit)).includes(to) || isBehind(scenario, kit)
    const needsSample = to === 'reportReady' || to === 'sampleRejected'
    if (isPast) await restart(tx, kitId, needsSample ? 'sampleReceived' : 'orderPlaced')
    await goForward(tx, kitId, to, { kind: results, reason, isQuiet: box && isAskedAbout(box.outcome) })
  }
  if (holds) await begin(tx, await lockKit(tx, kitId), holds)
  if (isSaid) await sayOfMock(tx, kitId)
  if (isRecalled) await playRecall(tx, kitId)
  if (order !== undefined) await play(tx, kitId, order)
  if (box) await recordHappened(tx, [await lockKit(tx, kitId)], [{ kitId, happening: box }])
  if (scenario.publish) {
    await acknowledgeMock(tx, kitId)
    await publishReportOfKit(tx, kitId)
  }
  return findKit(tx, kitId)
}

type ScenarioName = (typeof scenarios)[number]['name']

function scenarioOf(name: ScenarioName): Scenario {
  const scenario = scenarios.find((candidate) => candidate.name === name)
  if (!scenario) throw new Error(`no scenario ${name}`)
  return scenario
}

/** A legal move that would not show what the scenario says: more results for a report, a parcel lost on the way back. */
function isBehind({ status, results }: Scenario, { progress }: KitRow): boolean {
  if (status === 'deliveryException') return progress.sampleInTransit !== undefined
  return results !== undefined && progress.reportReady !== undefined
}

interface Way extends Delivery {
  reason?: string | undefined
  isQuiet?: boolean | undefined
}

/** Something that a person or a carrier does with a live kit on its way, and the sandbox in their place. */
interface Stop {
  isNext(state: rules.KitState, to: rules.KitEvent): boolean
  make(tx: Tx, kit: KitRow): Promise<unknown>
}

/** In their order. The rules fill in the other steps, which need no person. */
const stops: readonly Stop[] = [
  shipping('kitInTransit', 'toUser', [
    ...(['kitInTransit', 'kitDelivered', 'kitRegistered', 'sampleInTransit', 'sampleReceived'] as const),
    ...(['reportReady', 'sampleRejected', 'deliveryException', 'collectionException'] as const),
  ]),
  { isNext: rules.passesRegistration, make: registerMock },
  shipping('sampleInTransit', 'toLab', ['sampleInTransit', 'sampleReceived', 'reportReady', 'sampleRejected']),
]

function shipping(event: 'kitInTransit' | 'sampleInTransit', leg: 'toUser' | 'toLab', before: rules.KitEvent[]): Stop {
  return {
    isNext: (state, to) =>
      state.progress[event] === undefined && before.includes(to) && rules.allowed(state).includes(event),
    make: (tx, kit) => moveKit(tx, kit.id, event, { shipment: { [leg]: mockLeg(tx.now) } }),
  }
}

async function registerMock(tx: Tx, { id, kitType }: KitRow): Promise<void> {
  const person = mockPerson(id, (await findPanel(tx, kitType)).sex)
  if ((await settings(tx)).requireConsent) {
    const { firstName, lastName, email } = person
    const agreed = { consentVersion: 'sandbox', consentToTesting: true, consentForResearch: false } as const
    await consent(tx, id, { firstName, lastName, email, ...agreed })
  }
  await registerKit(tx, id, person, { isApprovedPerson: true })
}

/** The person who registers a mock kit: always the same one for a kit, of the sex that the panel is for. */
function mockPerson(kitId: string, sex: 'M' | 'F' | null): RegisterInput {
  const sum = [...kitId].reduce((total, character) => total + character.charCodeAt(0), 0)
  const chosen = sex ?? (sum % 2 === 0 ? 'M' : 'F')
  return {
    firstName: chosen === 'F' ? 'Jane' : 'John',
    lastName: 'Sandbox',
    // RFC 2606: no mail is ever delivered to .invalid.
    email: `sandbox+${kitId.toLowerCase()}@example.invalid`,
    dateOfBirth: `${1970 + (sum % 30)}-06-15`,
    sex: chosen,
  }
}

/** A leg of a made-up parcel: no carrier has numbers that begin with TEST. */
function mockLeg(at: Date): NonNullable<Shipment['toUser']> {
  const digits = Array.from({ length: 18 }, () => Math.floor(randomFraction() * 10)).join('')
  return { trackingNumber: `TEST${digits}`, carrier: 'USPS', date: at.toISOString() }
}

/** What a live kit would go through on its way, stop by stop. */
async function goForward(tx: Tx, kitId: string, to: rules.KitEvent, way: Way): Promise<KitRecord> {
  for (const { isNext, make } of stops) {
    const kit = await lockKit(tx, kitId)
    if (isNext(stateOf(kit), to)) await make(tx, kit)
  }
  const kit = await lockKit(tx, kitId)
  if (to === 'reportReady') await deliverResults(tx, kit, way)
  else if (rules.current(stateOf(kit)) !== to)
    await moveKit(tx, kitId, to, { reason: way.reason, isQuiet: way.isQuiet })
  if (to === 'sampleRejected') await rejectReportOfKit(tx, kitId)
  return findKit(tx, kitId)
}

/** Backward, or out of what is final. A report that the kit is now before goes. */
async function goBack(tx: Tx, kitId: string, to: rules.KitEvent, reason?: string): Promise<KitRecord> {
  const { progress } = await lockKit(tx, kitId)
  const record = await moveKit(tx, kitId, to, { force: true, reason, isTakenBack: true })
  const isBefore = record.progress.every(({ type, date }) => type !== 'reportReady' || date === undefined)
  if (progress.reportReady !== undefined && isBefore) await removeReportOfKit(tx, kitId)
  return record
}

/** Puts a kit where it can move forward: to `at`, or to the beginning if it is not registered. */
async function restart(tx: Tx, kitId: string, at: 'orderPlaced' | 'sampleReceived'): Promise<void> {
  const state = stateOf(await lockKit(tx, kitId))
  const from = rules.passesRegistration(state, at) ? 'orderPlaced' : at
  if (rules.current(state) !== from) await goBack(tx, kitId, from)
}
