import type { MessageKey, Translator } from '../../../domain/translations/translator.ts'
import { Address } from '../../orders/address-schema.ts'

/** The fields of the address, with what they are called. */
export const addressFields = [
  ['street1', 'register.addressLine1', 'address-line1'],
  ['street2', 'register.addressLine2', 'address-line2'],
  ['zip', 'register.zip', 'postal-code'],
  ['city', 'register.city', 'address-level2'],
  ['state', 'register.state', 'address-level1'],
  ['country', 'register.country', 'country'],
] as const satisfies readonly (readonly [keyof Address, MessageKey, string])[]

type Typed = Readonly<Record<string, string>>

/** What earlier releases wrote for the state where parcels carry none. */
const NO_STATE = '-'

/** An address as fields hold it. */
export const typedAddress = (address: Partial<Address>): Record<string, string> =>
  Object.fromEntries(
    addressFields.map(([name]) => [name, address[name] === NO_STATE ? '' : (address[name] ?? '').slice(0, 1000)]),
  )

/** The address that was typed, or what is wrong with it, by field. */
export function readAddress(
  form: Typed,
  t: Translator,
): { address: Address } | { problems: ReadonlyMap<string, string> } {
  // Without a country it would be the United States.
  const parsed = Address.safeParse({ ...form, country: form.country ?? '' })
  if (parsed.success) return { address: parsed.data }
  const wrong = new Set(parsed.error.issues.map(({ path }) => path[0]))
  return {
    problems: new Map(
      addressFields.flatMap(([name, label]): [string, string][] =>
        wrong.has(name) ? [[name, t('retest.problem', { field: t(label) })]] : [],
      ),
    ),
  }
}
