import {
  countryOfPlace,
  needsState,
  needsZip,
  type PlaceProblem,
  placeProblems,
  stateOf,
  zipWithZeros,
} from '@kitlane/display/postal-address'
import { isPhone } from '@kitlane/display/text'
import { locale, t } from '../../language/t.ts'

const needed = ['first_name', 'last_name', 'email', 'street1', 'city'] as const
const names = [...needed, 'state', 'zip', 'phone', 'street2', 'country'] as const
export type RecipientField = (typeof names)[number]
/** Who gets an order, as it was typed or read from a file. */
export type TypedRecipient = Record<RecipientField, string>

/** The country of a recipient. The service, too, takes an empty one as the United States. */
export const countryOf = ({ country }: Pick<TypedRecipient, 'country'>): string => country.trim().toUpperCase() || 'US'

/** Whether a recipient is incomplete without this field. */
export function isNeeded(name: RecipientField, of: Pick<TypedRecipient, 'country'>): boolean {
  if (name === 'state') return needsState(countryOf(of))
  return name === 'zip' ? needsZip(countryOf(of)) : needed.some((one) => one === name)
}

const checks: Partial<Record<RecipientField, (value: string) => string | undefined>> = {
  email: (value) => (/^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(value) ? undefined : t('not an e-mail address')),
  phone: phoneProblem,
}

/** What is wrong with the parts whose rules depend on the country. A state must stand as its letters, which the service writes itself. */
function placeProblemsOf(typed: TypedRecipient): Map<RecipientField, string> {
  const place = { country: countryOf(typed), state: typed.state.trim(), zip: typed.zip.trim() }
  const found = new Map(placeProblems(place).map((one): [RecipientField, string] => [one.field, wordsOf(one)]))
  const letters = stateOf(place.state, place.country)
  if (!found.has('country') && letters !== undefined && letters !== place.state) found.set('state', notLetters())
  return found
}

const notLetters = () => t('the letters of a state there, such as VT or NSW')

function wordsOf(found: PlaceProblem): string {
  if (found.problem === 'missing') return t('is missing')
  if (found.field === 'country')
    return found.problem === 'state' ? t('a country or a state: GE or US') : t('two letters, such as US')
  if (found.field === 'state') return notLetters()
  if (found.problem === 'form') return t('a postcode there is written like {example}', { example: found.example })
  if (found.problem === 'place') return t('a ZIP of another state: check both')
  if (found.problem === 'number') return t('the spreadsheet cut this number short; write it out again')
  if (found.problem === 'PR') return t('a ZIP of Puerto Rico has five digits, such as 00901, or nine')
  return found.problem === 'US'
    ? t('a ZIP has five digits, such as 05401, or nine')
    : t('a Canadian postal code has letters and digits in turn, such as K1A 0B1')
}

function phoneProblem(value: string): string | undefined {
  if (/^\d(\.\d+)?E\+?\d+$/i.test(value)) return t('the spreadsheet cut this number short; write it out again')
  return isPhone(value) ? undefined : t('a phone number has 7 to 15 digits')
}

/** What is wrong with a text of any field: characters that were lost on the way. */
export const lostCharacters = (value: string): string | undefined =>
  value.includes('\uFFFD') ? t('a character was lost when the file was saved') : undefined

/** What is wrong with a recipient as far as a page can tell, by field. The service has the final say. */
export function recipientProblems(typed: TypedRecipient): Map<RecipientField, string> {
  const ofPlace = placeProblemsOf(typed)
  return new Map(
    names.flatMap((name): [RecipientField, string][] => {
      const value = typed[name].trim()
      const isMissing = value === '' && needed.some((one) => one === name)
      const problem = isMissing
        ? t('is missing')
        : (lostCharacters(value) ?? ofPlace.get(name) ?? (value === '' ? undefined : checks[name]?.(value)))
      return problem === undefined ? [] : [[name, problem]]
    }),
  )
}

/** Values that must be written differently on labels, with how. */
export function recipientCorrections(typed: TypedRecipient): { field: RecipientField; to: string }[] {
  const { country: given, state, zip } = typed
  // Files are in English or in the language of the page.
  const written = given === '' ? undefined : countryOfPlace({ country: given, state, zip }, ['en', locale()])
  const country = written ?? countryOf(typed)
  const wanted: [RecipientField, string, string | undefined][] = [
    ['country', given, written],
    ['state', state, stateOf(state, country)],
    ['zip', zip, zipWithZeros({ zip, country, state })],
  ]
  return wanted.flatMap(([field, from, to]) => (to === undefined || to === from ? [] : [{ field, to }]))
}
