import { t } from '../../language/t.ts'
import {
  countryCodeOf,
  isCountryCode,
  isUnknownState,
  stateCodeOf,
  zipProblem,
  zipWithZeros,
} from './bulk/addresses.ts'

const needed = ['first_name', 'last_name', 'email', 'street1', 'city', 'state', 'zip'] as const
const names = [...needed, 'phone', 'street2', 'country'] as const
export type RecipientField = (typeof names)[number]
/** Who gets an order, as it was typed or read from a file. */
export type TypedRecipient = Record<RecipientField, string>

/** The country of a recipient. The service, too, takes an empty one as the United States. */
const countryOf = ({ country }: Pick<TypedRecipient, 'country'>): string => country.trim().toUpperCase() || 'US'

const checks: Partial<Record<RecipientField, (value: string, of: TypedRecipient) => string | undefined>> = {
  email: (value) => (/^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(value) ? undefined : t('not an e-mail address')),
  country: (value) => (isCountryCode(value) ? undefined : t('two letters, such as US')),
  state: (value, of) =>
    isUnknownState(value, countryOf(of)) ? t('two letters of a state there, such as VT or ON') : undefined,
  zip: (value, of) => zipProblem(value, countryOf(of)),
  phone: phoneProblem,
}

function phoneProblem(value: string): string | undefined {
  if (/^\d(\.\d+)?E\+?\d+$/i.test(value)) return t('the spreadsheet cut this number short; write it out again')
  const digits = value.replace(/\D/g, '').length
  const looksRight = /^\+?[\d\s().\-/]+(\s*(x|ext\.?)\s*\d+)?$/i.test(value)
  return looksRight && digits >= 7 && digits <= 18 ? undefined : t('a phone number has 7 to 15 digits')
}

/** What is wrong with a text of any field: characters that were lost on the way. */
export const lostCharacters = (value: string): string | undefined =>
  value.includes('\uFFFD') ? t('a character was lost when the file was saved') : undefined

/** What is wrong with a recipient as far as a page can tell, by field. The service has the final say. */
export function recipientProblems(typed: TypedRecipient): Map<RecipientField, string> {
  return new Map(
    names.flatMap((name): [RecipientField, string][] => {
      const value = typed[name].trim()
      const isMissing = value === '' && needed.some((one) => one === name)
      const problem = isMissing
        ? t('is missing')
        : value === ''
          ? undefined
          : (lostCharacters(value) ?? checks[name]?.(value, typed))
      return problem === undefined ? [] : [[name, problem]]
    }),
  )
}

/** Values that must be written differently on labels, with how. */
export function recipientCorrections(typed: TypedRecipient): { field: RecipientField; to: string }[] {
  const { country: given, state, zip } = typed
  const country = (given && countryCodeOf(given)) || countryOf(typed)
  const wanted: [RecipientField, string | undefined][] = [
    ['country', given === '' ? undefined : countryCodeOf(given)],
    ['state', state === '' ? undefined : stateCodeOf(state, country)],
    ['zip', zipWithZeros(zip, country)],
  ]
  return wanted.flatMap(([field, to]) => (to === undefined ? [] : [{ field, to }]))
}
