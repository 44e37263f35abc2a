import { randomFraction } from '../../domain/ids.ts'
import type { RegisterInput, Shipment } from '../kits/schema.ts'

/** The person who registers a mock kit: always the same one for a kit, of the sex that the panel is for. */
export function mockPerson(kitId: string, sex: 'M' | 'F' | null): RegisterInput {
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
export function mockLeg(at: Date): NonNullable<Shipment['toUser']> {
  const digits = Array.from({ length: 18 }, () => Math.floor(randomFraction() * 10)).join('')
  return { trackingNumber: `TEST${digits}`, carrier: 'USPS', date: at.toISOString() }
}
