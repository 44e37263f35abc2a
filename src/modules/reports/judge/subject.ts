import { ageOn } from '../../../domain/age.ts'
import type { CustomerRow } from '../../customers/service.ts'
import type { KitRow } from '../../kits/queries.ts'
import type { Subject } from './formulas.ts'

/** The person a sample is of. The registration of the kit counts before the customer's record. */
export function subjectOf(
  kit: Pick<KitRow, 'registration'> | undefined,
  customer: Pick<CustomerRow, 'dateOfBirth' | 'gender'>,
  on: string,
): Subject {
  const registered = (kit?.registration ?? null) as { dateOfBirth?: string; sex?: 'M' | 'F' } | null
  const born = registered?.dateOfBirth ?? customer.dateOfBirth
  const sex = registered?.sex ?? (customer.gender === 'X' ? null : customer.gender)
  return { ...(sex && { sex }), ...(born && { ageYears: ageOn(born, on) }) }
}
