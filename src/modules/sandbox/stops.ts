import { randomFraction } from '../../domain/ids.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { settings } from '../businesses/service.ts'
import { findPanel } from '../catalogue/service.ts'
import { moveKit } from '../kits/move.ts'
import type { KitRow } from '../kits/queries.ts'
import { consent, registerKit } from '../kits/register.ts'
import { allowed, type KitEvent, type KitState, passesRegistration } from '../kits/rules.ts'
import type { RegisterInput, Shipment } from '../kits/schema.ts'

/** Something that a person or a carrier does with a live kit on its way, and the sandbox in their place. */
interface Stop {
  isNext(state: KitState, to: KitEvent): boolean
  make(tx: Tx, kit: KitRow): Promise<unknown>
}

/** In their order. The rules fill in the other steps, which need no person. */
export const stops: readonly Stop[] = [
  shipping('kitInTransit', 'toUser', [
    ...(['kitInTransit', 'kitDelivered', 'kitRegistered', 'sampleInTransit', 'sampleReceived'] as const),
    ...(['reportReady', 'sampleRejected', 'deliveryException', 'collectionException'] as const),
  ]),
  { isNext: passesRegistration, make: registerMock },
  shipping('sampleInTransit', 'toLab', ['sampleInTransit', 'sampleReceived', 'reportReady', 'sampleRejected']),
]

function shipping(event: 'kitInTransit' | 'sampleInTransit', leg: 'toUser' | 'toLab', before: KitEvent[]): Stop {
  return {
    isNext: (state, to) => state.progress[event] === undefined && before.includes(to) && allowed(state).includes(event),
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
  await registerKit(tx, id, person)
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
